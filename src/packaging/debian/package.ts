import { packagedExecutable } from '../../release/packaged-executable.ts'
import { arArchive, compressedTar, type PackagedFile } from '../archive.ts'
import { noticesFile } from '../notices.ts'
import { changelog, control, copyright, lintianOverrides } from './documents.ts'
import type { DebianInput } from './input.ts'
import { postinst, postrm, prerm } from './scripts.ts'

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
