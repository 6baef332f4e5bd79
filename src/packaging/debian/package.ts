import { encodeFolder, UstarWriter } from '../../lib/ustar.ts'
import { packagedExecutable } from '../../release/built-in.ts'
import { noticesFile } from '../notices.ts'

/** The bytes of a `.deb` (deb(5)), made without Debian's tools. Decision 32 explains its content. */
export async function debianPackage(input: DebianInput): Promise<Uint8Array> {
  const { madeAtSeconds } = input
  const files = packagedFiles(input)
  const controlFiles: PackagedFile[] = [
    { path: 'control', content: text(control(input, installedKib(files))), mode: 0o644 },
    { path: 'md5sums', content: text(files.map(md5Line).join('')), mode: 0o644 },
    { path: 'postinst', content: text(postinst), mode: 0o755 },
    { path: 'postrm', content: text(postrm), mode: 0o755 },
    { path: 'prerm', content: text(prerm), mode: 0o755 },
  ]
  const members = [
    { name: 'debian-binary', content: text('2.0\n') },
    { name: 'control.tar.gz', content: await compressedTar(controlFiles, madeAtSeconds) },
    { name: 'data.tar.gz', content: await compressedTar(files, madeAtSeconds) },
  ]
  return arArchive(members, madeAtSeconds)
}

function packagedFiles(input: DebianInput): PackagedFile[] {
  const doc = 'usr/share/doc/capture'
  return [
    { path: packagedExecutable.slice(1), content: input.executable, mode: 0o755 },
    { path: `${doc}/CHANGELOG.md.gz`, content: gzipped(input.changes), mode: 0o644 },
    { path: `${doc}/README.md.gz`, content: gzipped(input.readme), mode: 0o644 },
    { path: `${doc}/${noticesFile}.gz`, content: gzipped(input.notices), mode: 0o644 },
    { path: `${doc}/changelog.gz`, content: gzipped(changelog(input)), mode: 0o644 },
    { path: `${doc}/copyright`, content: text(copyright(input.licence)), mode: 0o644 },
    { path: 'usr/share/lintian/overrides/capture', content: text(lintianOverrides), mode: 0o644 },
  ]
}

const text = (content: string): Uint8Array => Buffer.from(content)
const gzipped = (content: string): Uint8Array => Bun.gzipSync(Buffer.from(content), { level: 9 })

const installedKib = (files: readonly PackagedFile[]): number =>
  files.reduce((sum, { content }) => sum + Math.ceil(content.length / 1024), 0)

const md5Line = ({ path, content }: PackagedFile): string =>
  `${new Bun.CryptoHasher('md5').update(content).digest('hex')}  ${path}\n`

/** The parts of a Debian package. */
export interface DebianInput {
  version: string
  architecture: 'amd64' | 'arm64'
  /** `NAME <ADDRESS>` */
  maintainer: string
  executable: Uint8Array
  /** Texts of the project to include. */
  licence: string
  notices: string
  readme: string
  changes: string
  madeAtSeconds: number
}

/** Debian sorts `~` first, so that a pre-release precedes its release. */
export const debianVersion = (version: string): string => version.replace('-', '~')

/** deb-control(5). Bun runs on any C library since 2012. */
const control = ({ version, architecture, maintainer }: DebianInput, installedKib: number): string =>
  `Package: capture
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${installedKib}
Depends: libc6 (>= 2.17)
Section: web
Priority: optional
Description: landing pages, form capture, events and tracked links
 Serves the landing pages of an agency's customers on the customers' own
 domains, and stores what visitors send from them: forms, events, page views
 and clicks on tracked links. One executable and one folder of data.
 .
 "sudo capture service install" makes a systemd service of it.
`

/** deb-changelog(5). */
const changelog = ({ version, maintainer, madeAtSeconds }: DebianInput): string =>
  `capture (${debianVersion(version)}) stable; urgency=medium

  * What has changed: /usr/share/doc/capture/CHANGELOG.md.gz

 -- ${maintainer}  ${mailDate(madeAtSeconds)}
`

/** RFC 5322, in UTC. */
const mailDate = (seconds: number): string => new Date(seconds * 1000).toUTCString().replace('GMT', '+0000')

const copyright = (licence: string): string =>
  `Capture\n\n${licence.trimEnd()}\n\nWork of others in the executable, with its licences: ${noticesFile}.gz beside this file.\n`

const lintianOverrides = `# The runtime finds the program by its offset in the file: stripping leaves a plain Bun.
capture: unstripped-binary-or-object [usr/bin/capture]
capture: embedded-library *
capture: no-manual-page [usr/bin/capture]
# Bun's executable is linked so.
capture: hardening-no-pie [usr/bin/capture]
capture: hardening-no-relro [usr/bin/capture]
# One of the same name in /usr/local/bin would come first.
capture: command-with-path-in-maintainer-script *
`

// `capture service install` makes the unit, the configuration and the data folder. The scripts act only if the unit runs this
// package's executable. DPKG_ROOT is the tree of an image that dpkg works on, else empty (dpkg(1), --force-script-chrootless).
const unit = '"$DPKG_ROOT/etc/systemd/system/capture.service"'
const runsThis = `grep -qs '^ExecStart=${packagedExecutable} ' ${unit}`
const systemdIsHere = '[ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]'

/** After an update: restarts a running service with the new executable. */
const postinst = `#!/bin/sh
set -e
if [ "$1" = configure ] && ${systemdIsHere} && ${runsThis} && systemctl is-active --quiet capture.service; then
  ${packagedExecutable} service install
fi
`

/** Removes the service before the executable. Without systemd, as in the tree of an image, removes only its files. */
const prerm = `#!/bin/sh
set -e
if [ "$1" = remove ] && ${runsThis}; then
  if ${systemdIsHere}; then
    ${packagedExecutable} service uninstall > /dev/null
  else
    rm -f ${unit} "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants/capture.service"
    rm -f "$DPKG_ROOT/etc/sysctl.d/60-capture.conf"
    rm -f "$DPKG_ROOT/etc/sysusers.d/capture.conf" "$DPKG_ROOT/etc/tmpfiles.d/capture.conf"
  fi
fi
`

/** Keeps the records, which do not belong to the package, and the configuration of a service with another executable. */
const postrm = `#!/bin/sh
set -e
if [ "$1" = purge ] && ! [ -e ${unit} ]; then
  rm -rf "$DPKG_ROOT/etc/capture"
  if [ -d "$DPKG_ROOT/var/lib/capture" ]; then
    echo 'Kept: /var/lib/capture, with all records. To delete them: rm -r /var/lib/capture'
  fi
fi
`

/** A file to install, owned by root. */
interface PackagedFile {
  /** Relative to the root: `usr/bin/capture`. */
  path: string
  content: Uint8Array
  mode: 0o644 | 0o755
}

/** Of libdeflate: smaller than the smallest that zlib makes, in a third of the time. */
const compressionLevel = 6

/** A tar of the files and their folders, compressed with gzip. The same files make the same bytes. */
async function compressedTar(files: readonly PackagedFile[], modifiedAtSeconds: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const writer = new UstarWriter(async (bytes) => void chunks.push(bytes), modifiedAtSeconds)
  for (const folder of foldersOf(files)) chunks.push(encodeFolder(folder, modifiedAtSeconds))
  for (const { path, content, mode } of files) {
    await writer.entry({ name: `./${path}`, byteCount: content.length, mode }, [content])
  }
  await writer.end()
  return Bun.gzipSync(Buffer.concat(chunks), { library: 'libdeflate', level: compressionLevel })
}

/** Every folder once, parents first. */
function foldersOf(files: readonly PackagedFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1)
    return parts.map((_, at) => `./${parts.slice(0, at + 1).join('/')}/`)
  })
  return ['./', ...new Set(folders)].sort()
}

/** An `ar` archive with short names, the format of Debian packages (deb(5)). */
function arArchive(members: { name: string; content: Uint8Array }[], modifiedAtSeconds: number): Uint8Array {
  const parts = members.flatMap(({ name, content }) => [
    Buffer.from(arHeader(name, content.length, modifiedAtSeconds)),
    content,
    Buffer.from(content.length % 2 === 0 ? '' : '\n'),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

const arHeader = (name: string, byteCount: number, modifiedAtSeconds: number): string =>
  [
    name.padEnd(16),
    String(modifiedAtSeconds).padEnd(12),
    '0'.padEnd(6),
    '0'.padEnd(6),
    '100644'.padEnd(8),
    String(byteCount).padEnd(10),
    '`\n',
  ].join('')
