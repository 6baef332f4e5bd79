import type { AccountSettings } from '../account/account.ts'
import { subjectOf } from '../asset/asset.ts'
import { contentPath, treatedAs } from '../asset/asset-kind.ts'
import { type Way, type Ways, wayOf, waysOf } from '../asset/ways.ts'
import { Suggestions } from '../lib/suggestion.ts'
import type { FolderAsset } from './folder-assets.ts'
import type { LeftBehind } from './plan.ts'

/** What visitors can reach once a folder is published, and what its pages may have meant. */
export class WhatIsThere {
  private readonly states = new Map<string, 'live' | 'preview'>()
  private readonly live: Ways
  private readonly withPreviews: Ways
  private byFile: ReadonlyMap<string, FolderAsset> | null = null
  private suggestions: Suggestions | null = null

  /** @param left what stays on the box without being in the folder */
  constructor(
    settings: Pick<AccountSettings, 'home' | 'redirects'>,
    private readonly assets: readonly FolderAsset[],
    left: readonly LeftBehind[] = [],
  ) {
    for (const { kind, name, state } of [...left, ...assets])
      if (state !== 'unregistered') this.states.set(subjectOf({ kind, name }), state)
    this.live = waysOf(settings, (kind, name) => this.states.get(subjectOf({ kind, name })) === 'live')
    this.withPreviews = waysOf(settings, (kind, name) => this.states.has(subjectOf({ kind, name })))
  }

  /** @param withPreviews of a page that is itself in preview: those that it names may go live with it */
  way(path: string, withPreviews = false): Way {
    return wayOf(withPreviews ? this.withPreviews : this.live, path)
  }

  /** The asset of the folder that a file of it is, by its path from there. */
  file(path: string): FolderAsset | null {
    this.byFile ??= new Map(this.addressed.map((asset) => [asset.shown.normalize('NFC'), asset]))
    return this.byFile.get(path) ?? null
  }

  /** The address that is most like a path that leads nowhere; `null`: none is. */
  nearestTo(path: string): string | null {
    this.suggestions ??= new Suggestions(this.addressed.map(addressOf))
    return this.suggestions.nearestTo(path)
  }

  private get addressed(): FolderAsset[] {
    return this.assets.filter(({ kind }) => kind !== 'error_page')
  }
}

/** Where a domain has it. */
export const addressOf = ({ kind, name }: Pick<FolderAsset, 'kind' | 'name'>): string =>
  contentPath(treatedAs(kind), name)
