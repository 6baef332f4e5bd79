import type { AssetKind } from '../asset/asset-kind.ts'

/** One line of what an `apply` changes. */
export interface Change {
  action: 'create' | 'update' | 'delete'
  kind: 'account' | 'settings' | 'key' | 'form' | 'delivery' | AssetKind
  name: string
  /** An additional remark; `null`: none. */
  note: string | null
  /** What an update changes, key by key as `site.toml` names them. */
  fields: FieldChange[]
}

/** A value before and after, as text for people; `null`: there was none, or there is none any more. */
export interface FieldChange {
  field: string
  before: string | null
  after: string | null
  /** What changed in a text of several lines, where it is short. */
  diff?: string
}
