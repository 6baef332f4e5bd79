/** What the signature of a released file says of it. */
export interface ReleasedFile {
  /** Its name, without a folder. */
  file: string
  /** As `capture version` says it. */
  version: string
  /** The machine it is for, as `builtFor` of the executable says it; `any` for a file of no machine. */
  target: string
}

/** The trusted comment of a released file: fields as minisign's own program writes them, set apart by tabs. */
export const trustedComment = ({ file, version, target }: ReleasedFile, madeAtSeconds: number): string =>
  `timestamp:${madeAtSeconds}\tfile:${file}\tversion:${version}\ttarget:${target}`

/**
 * Reads the trusted comment of a signature that has verified. A signature says only that the file was signed once: whoever
 * installs it compares `target` with its own, and `version` with what is installed, or an old file, or another machine's,
 * passes for a new one.
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
