import { assetKinds, pathKinds } from '../asset/asset-kind.ts'
import { assetMediaType, fileMediaType } from '../asset/media-type.ts'
import { Suggestions } from '../lib/suggestion.ts'
import type { SiteFolder } from './folder.ts'
import type { FolderAsset } from './folder-assets.ts'
import { type DoubtedReference, doubtsMax, type FolderReferences, type ScriptlessPage } from './folder-references.ts'
import type { LeftBehind } from './plan.ts'
import { type SiteWarning, siteToml } from './site-faults.ts'
import { addressOf, WhatIsThere } from './what-is-there.ts'

type WarnedFolder = Pick<SiteFolder, 'settings' | 'forms' | 'assets' | 'steps'>

/**
 * Warns of what pages, stylesheets, goals and funnels name that will not be there, by file and line (docs/publishing.md). Pure.
 *
 * @param left what stays on the box without being in the folder: it is there, too
 */
export function pageWarnings(
  folder: WarnedFolder,
  found: Pick<FolderReferences, 'references' | 'forms' | 'scriptless' | 'silentScripts' | 'there'>,
  left: readonly LeftBehind[],
): SiteWarning[] {
  const there = left.length === 0 ? found.there : new WhatIsThere(folder.settings, folder.assets, left)
  const warnings = [
    ...found.references.slice(0, doubtsMax).flatMap((reference) => missing(reference, there)),
    ...unknownForms(folder, found.forms, left),
    ...found.scriptless.flatMap((page) => withoutScript(page, found.silentScripts, there)),
  ].sort((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1))
  return [...unknownSteps(folder, left, there), ...warnings, ...unjudged(found.references)]
}

type Placed = Pick<SiteWarning, 'file' | 'line'>

const warning = (kind: SiteWarning['kind'], { file, line }: Placed, message: string): SiteWarning => ({
  kind,
  file,
  line,
  key: null,
  message,
})

function missing(reference: DoubtedReference, there: WhatIsThere): SiteWarning[] {
  const { path, address, isPreview } = reference
  if (there.way(path, isPreview).to !== 'nowhere') return []
  const shown = shortened(address)
  if (there.way(path, true).to !== 'nowhere')
    return [warning(kindOf(reference, null), reference, `${shown} is in preview: visitors get 404; make it live first`)]
  const meant = meantBy(reference, there)
  const kind = kindOf(reference, meant)
  const right = meant === null ? there.nearestTo(path) : addressOf(meant)
  const mend = right === null ? mends[kind] : meant === null ? `did you mean ${right}?` : `write ${right}`
  const where = path === '/' ? 'the account has no home page' : `there is nothing at ${shortened(path)}`
  return [warning(kind, reference, `${shown}: ${where}; ${path === '/' ? 'set home in site.toml' : mend}`)]
}

const mends: Readonly<Record<ReturnType<typeof kindOf>, string>> = {
  dead_link: 'add the page, or a redirect for its address',
  missing_content: 'add the file to the folder',
}

/** A file of the folder that the address means where it lies on a disk: `../img/hero.png`, `launch.html`, `/img/hero.png`. */
function meantBy({ address, file, base, path }: DoubtedReference, there: WhatIsThere): FolderAsset | null {
  const onDisk =
    base === null ? filePath(URL.parse(address, `https://disk.invalid/${encodeURI(file)}`)?.pathname) : null
  const below = filePath(path)
  return (
    ((onDisk && there.file(onDisk)) ??
      (below && (there.file(below) ?? there.file(`pages/${below}`) ?? there.file(`pages/${below}.html`)))) ||
    null
  )
}

function filePath(pathname = ''): string | null {
  try {
    return decodeURIComponent(pathname.slice(1)).normalize('NFC') || null
  } catch {
    return null
  }
}

function kindOf({ use, path }: DoubtedReference, meant: FolderAsset | null): 'missing_content' | 'dead_link' {
  const isContent = meant === null ? namesContent(path) : meant.kind !== 'page'
  return use === 'content' || isContent ? 'missing_content' : 'dead_link'
}

const namesContent = (path: string): boolean =>
  pathKinds.some((kind) => path.startsWith(assetKinds[kind].path)) ||
  assetMediaType(path) !== null ||
  fileMediaType(path) !== 'application/octet-stream'

/** Visitors' forms go nowhere. */
function unknownForms(
  { forms }: WarnedFolder,
  doubted: FolderReferences['forms'],
  left: readonly LeftBehind[],
): SiteWarning[] {
  const leftForms = left.filter(({ kind }) => kind === 'form')
  const ids = [...forms.map(({ id }) => id), ...leftForms.map(({ name }) => name)]
  const known = new Set(ids)
  const suggestions = new Suggestions(ids)
  const registered = new Set(leftForms.filter(({ state }) => state === 'live').map(({ name }) => name))
  return doubted
    .filter(({ id }) => !registered.has(id))
    .map((form) => {
      if (known.has(form.id))
        return warning(
          'unknown_form',
          form,
          `the form "${form.id}" is not registered: what visitors send is refused; register it, or take it out of the page`,
        )
      const meant = suggestions.nearestTo(form.id)
      const mend = meant === null ? 'declare it in site.toml, or name one of its forms' : `did you mean "${meant}"?`
      return warning(
        'unknown_form',
        form,
        `there is no form "${shortened(form.id)}": what visitors send is refused; ${mend}`,
      )
    })
}

/** Without the script, a browser posts the form to its own page, which keeps nothing. */
function withoutScript(page: ScriptlessPage, silent: ReadonlySet<string>, there: WhatIsThere): SiteWarning[] {
  const { id, otherHost, ownScripts } = page
  if (ownScripts.some((path) => there.way(path, true).to === 'download' && !silent.has(path))) return []
  const why =
    otherHost === null
      ? `the form "${shortened(id)}" is not sent: the page lacks the script`
      : `the form "${shortened(id)}" is sent to ${otherHost}, which is not among the domains`
  return [warning('no_script', page, `${why}; add <script src="/_svc/v1.js" defer></script>`)]
}

function unknownSteps(
  { settings, forms, steps }: WarnedFolder,
  left: readonly LeftBehind[],
  there: WhatIsThere,
): SiteWarning[] {
  const ids = [...forms.map(({ id }) => id), ...left.flatMap(({ kind, name }) => (kind === 'form' ? [name] : []))]
  const suggestions = new Suggestions(ids)
  return steps.flatMap(({ kind, text, place: { line, key } }) => {
    const isThere = kind === 'form' ? ids.includes(text) : there.way(text, true).to === 'page'
    if (isThere) return []
    const meant = kind === 'form' ? suggestions.nearestTo(text) : there.nearestTo(text)
    // Views of pages elsewhere count as well; one that is nearly called like a page of the folder is a slip.
    if (kind === 'page' && settings.origins.length > 0 && meant === null) return []
    const what = kind === 'form' ? `no form with the id "${text}"` : `no page at ${text}`
    const hint = meant === null ? 'nothing will be counted' : `did you mean "${meant}"?`
    return [{ kind: 'unknown_step' as const, file: siteToml, line, key, message: `there is ${what}; ${hint}` }]
  })
}

/** Says that there is more than was judged. */
const unjudged = (references: readonly DoubtedReference[]): SiteWarning[] =>
  references
    .slice(doubtsMax, doubtsMax + 1)
    .map((next) =>
      warning(
        kindOf(next, null),
        next,
        `more than ${doubtsMax} addresses lead to nothing; this and later ones are not judged`,
      ),
    )

const shownMax = 120

const shortened = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)
