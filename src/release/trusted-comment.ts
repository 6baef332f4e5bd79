/** The signed description of a released file. */
export interface ReleasedFile {
  /** The file's name, without a folder. */
  file: string
  /** As printed by `capture version`. */
  version: string
  /** The file's machine in the form of `builtFor`; `any` for all machines. */
  target: string
}

/** The trusted comment of a released file: tab-separated fields as minisign itself writes them. */
export const trustedComment = ({ file, version, target }: ReleasedFile, madeAtSeconds: number): string =>
  `timestamp:${madeAtSeconds}\tfile:${file}\tversion:${version}\ttarget:${target}`

/**
 * Reads the trusted comment of a verified signature. The signature proves only that the file was signed once. The caller must
 * compare `target` and `version`, or an old file or another machine's passes for a new one.
 *
 * @returns `null` for a file that was signed for something else
 */
export function readTrustedComment(comment: string): ReleasedFile | null {
  const fields = new Map(
    comment.split('\t').map((field) => [field.split(':', 1)[0], field.slice(field.indexOf(':') + 1)]),
  )
  const [file, version, target] = [fields.get('file'), fields.get('version'), fields.get('target')]
  if (file === undefined || version === undefined || target === undefined) return null
  return { file, version, target }
}
