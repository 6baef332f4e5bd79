/**
 * The types of files that visitors may send, by the name that `types` in `site.toml` and records have, with their media types.
 * Nothing that a browser would run or render as a page is among them: no HTML, no SVG, no XML.
 */
export const fileTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  zip: 'application/zip',
} as const

export type FileType = keyof typeof fileTypes

export const fileTypeNames = Object.keys(fileTypes) as FileType[]

/** Other endings under which people have such files. */
const otherEndings: Readonly<Partial<Record<FileType, readonly string[]>>> = {
  jpg: ['jpeg', 'jfif'],
  tiff: ['tif'],
  heic: ['heif'],
  mp4: ['m4v'],
  txt: ['csv', 'md', 'log'],
}

export const endingsOf = (type: FileType): readonly string[] => [type, ...(otherEndings[type] ?? [])]

/** What the attribute `accept` of a field has. */
export const acceptOf = (types: readonly FileType[]): string =>
  types.flatMap((type) => endingsOf(type).map((ending) => `.${ending}`)).join()
