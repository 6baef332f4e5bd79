import type { AssetKind } from '../asset/asset.ts'

/** One line of what an `apply` changes. */
export interface Change {
  action: 'create' | 'update' | 'delete'
  kind: 'account' | 'settings' | 'key' | 'form' | 'delivery' | AssetKind
  name: string
  /** An additional remark; `null`: none. */
  note: string | null
}
