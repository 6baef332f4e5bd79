import { parseArgs } from 'node:util'
import { processEnvironment } from '../config/environment.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { type BuildTarget, targets } from './runtimes.ts'
import { type ReleaseKey, signingKeyIn } from './signing.ts'

export const usage = `Usage: bun run package [OPTIONS]

Makes the files of a release in dist/: executables, Debian packages, a Dockerfile, the bill of
materials, notices of third parties, SHA256SUMS and signatures.

  --out DIR             another folder than dist
  --target NAME         this machine alone, may be given again: ${targets.map(({ name }) => name).join(', ')}
  --signing-key FILE    minisign's secret key; without it nothing is signed
  --password-file FILE  the password of that key, where it has one
  --maintainer TEXT     of the Debian packages: NAME <ADDRESS>
  --help                this text

SOURCE_DATE_EPOCH is the time that packages and signatures bear, instead of that of the last commit.
`

export interface PackageOptions {
  out: string
  targets: readonly BuildTarget[]
  signingKey: ReleaseKey | null
  maintainer: string
}

const defaults = { out: 'dist', maintainer: 'The Capture authors <capture@capture.invalid>' }

/** Parses the command line; `null`: print the usage. @throws OperatorError */
export async function readOptions(argv: string[]): Promise<PackageOptions | null> {
  const values = parsed(argv)
  if (values.help) return null
  return {
    out: values.out ?? defaults.out,
    targets: values.target === undefined ? targets : values.target.map(targetNamed),
    signingKey: await signingKey(values['signing-key'], values['password-file']),
    maintainer: values.maintainer ?? defaults.maintainer,
  }
}

function parsed(args: string[]) {
  const value = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      options: {
        out: value,
        target: { ...value, multiple: true },
        'signing-key': value,
        'password-file': value,
        maintainer: value,
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`, 2)
  }
}

function targetNamed(name: string): BuildTarget {
  const target = targets.find((target) => target.name === name)
  if (target !== undefined) return target
  throw new OperatorError(`--target ${name}: expected ${targets.map(({ name }) => name).join(', ')}.`, 2)
}

async function signingKey(file: string | undefined, passwordFile: string | undefined): Promise<ReleaseKey | null> {
  if (file === undefined) return null
  const password = passwordFile === undefined ? '' : await textOf(passwordFile)
  return signingKeyIn(file, password.replace(/\r?\n$/, ''))
}

async function textOf(file: string): Promise<string> {
  try {
    return await Bun.file(file).text()
  } catch (error) {
    throw new OperatorError(`Cannot read ${file}: ${(error as Error).message}`)
  }
}

/** The time of a release in seconds: that of its sources, so that builds are reproducible. */
export function madeAtSeconds(): number {
  const given = processEnvironment().SOURCE_DATE_EPOCH
  const text =
    given ?? Bun.spawnSync(['git', 'log', '-1', '--format=%ct'], { stderr: 'ignore' }).stdout.toString().trim()
  if (/^[0-9]{1,11}$/.test(text)) return Number(text)
  throw new OperatorError(
    given === undefined
      ? 'There is no history here to take the time of the last commit from: set SOURCE_DATE_EPOCH to a time in seconds.'
      : `SOURCE_DATE_EPOCH is "${given}": expected a time in seconds.`,
  )
}
