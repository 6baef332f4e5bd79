import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { PublicKey } from '../lib/minisign.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { trustedComment } from '../release/trusted-comment.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { debianPackage, debianVersion } from './debian/package.ts'
import { buildExecutable } from './executable.ts'
import { embeddedPackages, noticesFile, thirdPartyNotices } from './notices.ts'
import type { PackageOptions } from './options.ts'
import { type BuildTarget, runtimesOf } from './runtimes.ts'
import { type ReleaseKey, readPublicKeysFile, sign } from './signing.ts'

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

const sumsFile = 'SHA256SUMS'

/**
 * Makes a folder with exactly one complete release. The earlier content is deleted only after `make` succeeds.
 *
 * @throws OperatorError when the folder contains anything but a release
 */
export async function makeReleaseFolder(out: string, make: (folder: string) => Promise<void>): Promise<void> {
  const place = resolve(out)
  assertReplaceable(place)
  const making = mkdtempSync(join(dirname(place), `.${basename(place)}-`))
  try {
    await make(making)
    assertReplaceable(place)
    chmodSync(making, 0o755)
    rmSync(place, { recursive: true, force: true })
    renameSync(making, place)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function assertReplaceable(place: string): void {
  if (!existsSync(place)) return
  const names = readdirSync(place)
  if (names.length === 0 || names.includes(sumsFile)) return
  throw new OperatorError(
    `${place} contains other files than a release, which would be lost. Name another folder with --out.`,
  )
}

/** The image's user, a number that no system uses. */
const uid = 65532

/**
 * A Dockerfile for the folder of a release: the image has only the executable and the C library. The first stage is Debian,
 * which provides the C library and can list its files.
 */
const dockerfile = (
  version: string,
): string => `# Capture ${version}: the executable, the C library it runs on, and nothing else. In this folder:
#   docker build --tag capture:${version} .
FROM debian:12-slim AS parts
COPY capture-${version}-linux-* /release/
RUN set -eu; \\
    case "$(dpkg --print-architecture)" in amd64) target=linux-x64 ;; *) target=linux-arm64 ;; esac; \\
    install -D --mode 0755 "/release/capture-${version}-$target" /image/usr/bin/capture; \\
    for library in $(ldd /image/usr/bin/capture | grep -o '/[^ ]*'); do \\
      install -D --mode 0755 "$library" "/image$library"; \\
    done; \\
    mkdir -p /image/etc; \\
    echo 'capture:x:${uid}:${uid}::/var/lib/capture:' > /image/etc/passwd; \\
    echo 'capture:x:${uid}:' > /image/etc/group; \\
    echo 'hosts: files dns' > /image/etc/nsswitch.conf; \\
    install -d --mode 1777 /image/tmp; \\
    install -d --mode 0700 --owner ${uid} --group ${uid} /image/var/lib/capture

FROM scratch
COPY --from=parts /image/ /
USER ${uid}:${uid}
WORKDIR /var/lib/capture
ENV CAPTURE_DATA_DIR=/var/lib/capture CAPTURE_SERVER_LISTEN=0.0.0.0:8080
VOLUME /var/lib/capture
EXPOSE 80 443 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=5m CMD ["/usr/bin/capture", "ready"]
ENTRYPOINT ["/usr/bin/capture"]
CMD ["serve"]
`
