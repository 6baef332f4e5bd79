import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { PublicKey } from '../lib/minisign.ts'
import { trustedComment } from '../release/trusted-comment.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { debianVersion } from './debian/input.ts'
import { debianPackage } from './debian/package.ts'
import { dockerfile } from './dockerfile.ts'
import { embeddedPackages } from './embedded-packages.ts'
import { buildExecutable } from './executable.ts'
import { noticesFile, thirdPartyNotices } from './notices.ts'
import type { PackageOptions } from './options.ts'
import { readPublicKeysFile } from './public-keys-file.ts'
import { sumsFile } from './release-folder.ts'
import { runtimesOf } from './runtimes.ts'
import { type ReleaseKey, sign } from './signing.ts'
import type { BuildTarget } from './target.ts'

const { version } = manifest

interface MadeFile {
  name: string
  /** The target for the trusted comment. */
  target: string
}

/** Makes the files of a release in an empty folder and returns their names. Run it in the folder of package.json. */
export async function makeRelease(folder: string, options: PackageOptions, madeAtSeconds: number): Promise<string[]> {
  const { targets, signingKey } = options
  const publicKeys = await trustedKeys(signingKey)
  const runtimes = await runtimesOf(targets)
  const packages = await embeddedPackages()
  const notices = await thirdPartyNotices(packages)
  const made: MadeFile[] = []
  for (const [at, target] of targets.entries()) {
    const executable = { name: `capture-${version}-${target.name}`, target: target.name }
    const runtime = runtimes[at] ?? null
    const foreign = runtime === null ? null : { target, runtime }
    await buildExecutable(join(folder, executable.name), { targetName: target.name, foreign, publicKeys, notices })
    await chmod(join(folder, executable.name), 0o755)
    made.push(
      executable,
      ...(await packagesOf(target, { folder, executable: executable.name, options, notices, madeAtSeconds })),
    )
  }
  const addForAny = async (name: string, content: string): Promise<void> => {
    await Bun.write(join(folder, name), content)
    made.push({ name, target: 'any' })
  }
  await addForAny('Dockerfile', dockerfile(version))
  await addForAny(`capture-${version}.cdx.json`, await billOfMaterials(packages, madeAtSeconds))
  await addForAny(noticesFile, notices)
  await addForAny(sumsFile, await sums(folder, made))
  const signatures = signingKey === null ? [] : await signAll(folder, made, { signingKey, madeAtSeconds })
  return [...made.map(({ name }) => name), ...signatures]
}

/** The checkout's keys and the key that signs this release. */
async function trustedKeys(signingKey: ReleaseKey | null): Promise<PublicKey[]> {
  const keys = await readPublicKeysFile()
  if (signingKey === null || keys.some(({ line }) => line === signingKey.public.line)) return keys
  return [...keys, signingKey.public]
}

interface PackageInput {
  folder: string
  executable: string
  options: PackageOptions
  notices: string
  madeAtSeconds: number
}

async function packagesOf(target: BuildTarget, input: PackageInput): Promise<MadeFile[]> {
  if (target.debian === null) return []
  const { folder, executable, options, notices, madeAtSeconds } = input
  const name = `capture_${debianVersion(version)}_${target.debian}.deb`
  const bytes = await debianPackage({
    version,
    architecture: target.debian,
    maintainer: options.maintainer,
    executable: await Bun.file(join(folder, executable)).bytes(),
    licence: await Bun.file('LICENSE').text(),
    notices,
    readme: await Bun.file('README.md').text(),
    changes: await Bun.file('CHANGELOG.md').text(),
    madeAtSeconds,
  })
  await Bun.write(join(folder, name), bytes)
  return [{ name, target: target.name }]
}

/** In the format of `sha256sum`. */
async function sums(folder: string, files: readonly MadeFile[]): Promise<string> {
  const lines: string[] = []
  for (const { name } of files) {
    const hash = new Bun.CryptoHasher('sha256')
    for await (const chunk of Bun.file(join(folder, name)).stream()) hash.update(chunk)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  return lines.join('')
}

async function signAll(
  folder: string,
  files: readonly MadeFile[],
  { signingKey, madeAtSeconds }: { signingKey: ReleaseKey; madeAtSeconds: number },
): Promise<string[]> {
  const names: string[] = []
  for (const { name, target } of files) {
    const comment = trustedComment({ file: name, version, target }, madeAtSeconds)
    await sign(join(folder, name), signingKey, comment)
    names.push(`${name}.minisig`)
  }
  return names
}
