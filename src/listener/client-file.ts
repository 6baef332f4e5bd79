/** The texts for visitors. */
export const languageFileNames = [
  'l/en.js',
  'l/de.js',
  'l/fr.js',
  'l/es.js',
  'l/it.js',
  'l/nl.js',
  'l/pt.js',
  'l/pl.js',
] as const

/** The script, the files that it loads on demand, and its types for developers. */
export type ClientFileName =
  | 'v1.js'
  | 'f.js'
  | 'e.js'
  | 'b.js'
  | 'altcha.js'
  | 'altcha.css'
  | 'v1.d.ts'
  | (typeof languageFileNames)[number]

/** A file that pages load, compressed by the build. */
export interface ClientFile {
  text: string
  sha256: string
  /** base64 */
  gzip: string
  /** base64 */
  br: string
}
