import { OperatorError } from '../lib/operator-error.ts'
import { plural } from '../lib/quantities.ts'
import type { Located } from '../lib/toml/shape.ts'
import type { Place } from '../lib/toml/value.ts'
import { keptInTheBox } from './kept-folder.ts'

/** One fault of a site folder. */
export interface SiteFault {
  /** Relative to the folder, with `/`. */
  file: string
  line: number | null
  key: string | null
  message: string
}

/** Every kind of a warning (docs/publishing.md). */
export const warningKinds = [
  'unknown_form',
  'no_script',
  'missing_content',
  'dead_link',
  'unknown_step',
  'undeclared_required',
  'unknown_field',
  'unpublished_folder',
  'empty_page',
  'home_in_preview',
  'unused_key',
  'unsafe_redirect',
  'reserved_field',
  'no_reply',
  'no_confirmation',
  'doubtful_image',
  'unresolved_address',
  'no_mail_server',
] as const
export type WarningKind = (typeof warningKinds)[number]

/** What is probably a mistake in a site folder, which is published all the same. */
export interface SiteWarning extends SiteFault {
  kind: WarningKind
}

/** Every fault of a site folder, which is not published then. */
export class SiteFaults extends OperatorError {
  constructor(
    dir: string,
    readonly faults: SiteFault[],
  ) {
    const title = `${dir} cannot be published, and nothing was changed; ${plural(faults.length, 'fault')}:`
    super([title, ...faults.map((fault) => `  ${siteFaultLine(fault)}`)].join('\n'))
  }
}

/** `site.toml:12 forms[0].honeypot: …` */
export function siteFaultLine(fault: SiteFault): string {
  const place = fault.line === null ? fault.file : `${fault.file}:${fault.line}`
  return `${fault.key === null ? place : `${place} ${fault.key}`}: ${fault.message}`
}

/** A secret that stays the one that the box has, if it has one. */
export interface KeptSecret {
  /** `bot_check`, `deliveries.crm`. */
  owner: string
  place: Place
  /** Where the folder takes it from, `secret_env ACME_CRM_SECRET`; `null`: the folder says that the box keeps it. */
  source: string | null
}

/** Collects faults and warnings, so that reading can continue after a fault. */
export class FolderReport {
  readonly faults: SiteFault[] = []
  readonly skipped: string[] = []
  readonly warnings: SiteWarning[] = []
  readonly kept: KeptSecret[] = []
  /** Secrets from the environment or a file, by the keys that ask for them. */
  readonly fetched = new Map<string, string>()

  /** A fault of a file or folder itself. */
  file(file: string, message: string): null {
    this.faults.push({ file, line: null, key: null, message })
    return null
  }

  /** A fault of a key in site.toml. */
  key(place: Place, message: string): null {
    this.faults.push({ file: siteToml, line: place.line, key: place.key, message })
    return null
  }

  /** Faults of entries of one list that have the same id or name; `null`: none. */
  twins<Value>(
    written: readonly Located<Value>[],
    what: 'id' | 'name' | 'page' | 'from',
    textOf: (value: Value) => string | null,
  ): void {
    const seen = new Map<string, Place>()
    for (const entry of written) {
      const text = textOf(entry.value)
      const other = text === null ? undefined : seen.get(text)
      if (other !== undefined)
        this.key(entry.place(what), `"${text}" is also the ${what} of ${other.key} (line ${other.line})`)
      if (text !== null) seen.set(text, entry)
    }
  }

  /** A secret that the box has. */
  keep(secret: KeptSecret): string {
    this.kept.push(secret)
    return keptInTheBox
  }

  /** Warns of a key in site.toml. */
  warn(kind: WarningKind, { line, key }: Place, message: string): void {
    this.warnings.push({ kind, file: siteToml, line, key, message })
  }

  /** Warns of a file or folder itself. */
  warnOfFile(kind: WarningKind, file: string, message: string): void {
    this.warnings.push({ kind, file, line: null, key: null, message })
  }
}

export const siteToml = 'site.toml'
