import { uploadDepthMax } from './upload-limits.ts'

const charactersMax = 1024

/**
 * What is wrong with a file's name within an uploaded folder; `null`: nothing. Such a name never leads out of the folder, on no
 * system.
 */
export function uploadPathFault(path: string): string | null {
  if (path.includes('\\')) return 'has a name with a backslash; folders are separated by "/"'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'has an absolute name; names are relative to the folder'
  const steps = path.split('/')
  if (steps.includes('..')) return 'has a name that leads out of the folder ("..")'
  if (steps.some((step) => step === '' || step === '.')) return 'has a name with an empty part or a "."'
  if (/\p{Cc}/u.test(path)) return 'has a name with a control character'
  if (steps.length > uploadDepthMax) return `lies more than ${uploadDepthMax} folders deep`
  return path.length > charactersMax ? `has a name of more than ${charactersMax} characters` : null
}

/**
 * The folder within an upload that is the site folder: where its `site.toml` lies. Programs that zip a folder, and browsers
 * that send one, put its own name before everything.
 *
 * @returns `''`, or a name with `/` at its end
 */
export function folderWithin(paths: readonly string[]): string {
  if (paths.includes(siteToml)) return ''
  const tops = paths.filter((path) => path.endsWith(`/${siteToml}`) && path.split('/').length === 2)
  return tops.length === 1 ? (tops[0] ?? '').slice(0, -siteToml.length) : ''
}

const siteToml = 'site.toml'
