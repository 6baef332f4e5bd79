/** The script, what it loads where a page needs it, and its types for developers. */
export type ClientFileName = 'v1.js' | 'f.js' | 'p.js' | 'b.js' | 'altcha.js' | 'altcha.css' | 'v1.d.ts'

/** A file that pages load, compressed by the build. */
export interface ClientFile {
  text: string
  sha256: string
  /** base64 */
  gzip: string
  /** base64 */
  br: string
}
