import { assetsFolder } from '../../asset/stored-name.ts'
import { type BundleHeader, checkBundle, readHead, readNames } from '../format/bundle.ts'
import { assetListName, type BasePoint, erasuresName, listBases } from '../format/object-names.ts'
import { type BackupTarget, ObjectFault } from '../target/backup-target.ts'
import { NothingThere, planRestore, type RestorePlan } from './plan.ts'

export interface CheckedTarget {
  bases: number
  increments: number
  /** Published contents; each variant counts. */
  contents: number
  /** Whether an identity is needed to restore. */
  isSealed: boolean
}

interface Checking {
  /** `latest`: the objects for the latest moment. `all`: also those of every earlier base up to the next one. */
  scope: 'latest' | 'all'
  /** Names below `assets/` that are checked even if no base names them. */
  contents?: readonly string[]
  onFault: (fault: ObjectFault) => void
  breathe?: () => Promise<void>
  signal?: AbortSignal
}

/**
 * Reads every object that a restore would need and compares it with its checksum. This needs no identity.
 *
 * @throws TargetFault, NothingThere, or the signal's reason
 */
export async function checkTarget(target: BackupTarget, checking: Checking): Promise<CheckedTarget> {
  const check = new TargetCheck(target, checking)
  const bases = await listBases(target)
  if (bases.length === 0) throw new NothingThere('holds no base')
  const first = checking.scope === 'all' ? 0 : bases.length - 1
  for (let at = first; at < bases.length; at++) {
    const next = bases[at + 1]
    await check.moment(next === undefined ? null : next.at - 1)
  }
  await check.others(checking.contents ?? [])
  return check.checked
}

class TargetCheck {
  readonly checked: CheckedTarget = { bases: 0, increments: 0, contents: 0, isSealed: false }
  private readonly contents = new Set<string>()
  private readonly increments = new Set<string>()

  constructor(
    private readonly target: BackupTarget,
    private readonly checking: Checking,
  ) {}

  async moment(until: number | null): Promise<void> {
    const plan = await this.planned(until)
    if (plan === null) return
    const { base, increments } = plan
    await this.base(base)
    for (const { name } of increments) if (this.isNew(this.increments, name)) await this.object(name, 'increment', name)
    this.checked.increments = this.increments.size
    this.checked.contents = this.contents.size
  }

  async others(contents: readonly string[]): Promise<void> {
    for (const content of contents) {
      const name = assetsFolder + content
      if (this.isNew(this.contents, content)) await this.object(name, 'asset', name)
    }
    this.checked.contents = this.contents.size
  }

  private async planned(until: number | null): Promise<RestorePlan | null> {
    try {
      return await planRestore(this.target, until)
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error
      await this.note(error, error.object)
      return null
    }
  }

  private async base(base: BasePoint): Promise<void> {
    this.checked.bases++
    await this.object(base.name, 'base', base.name)
    await this.object(erasuresName(base.name), 'list', base.name)
    const list = assetListName(base.name)
    if (!(await this.object(list, 'list', base.name))) return
    for (const name of await readNames(this.target, list)) {
      if (this.isNew(this.contents, name)) await this.object(assetsFolder + name, 'asset', base.name)
    }
  }

  /** @param owner the point that needs the object */
  private async object(name: string, kind: BundleHeader['kind'], owner: string): Promise<boolean> {
    const { signal, breathe } = this.checking
    signal?.throwIfAborted()
    await breathe?.()
    try {
      const head = await readHead(this.target, name, kind)
      if (head.header.key !== null) this.checked.isSealed = true
      await checkBundle(this.target, name, head)
      return true
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error
      await this.note(error, owner)
      return false
    }
  }

  /** Objects that the box deletes meanwhile, because they are older than `keep`, disappear with the point that needed them. */
  private async note(fault: ObjectFault, owner: string): Promise<void> {
    if ((await this.target.get(owner)) !== null) this.checking.onFault(fault)
  }

  private isNew(known: Set<string>, name: string): boolean {
    if (known.has(name)) return false
    known.add(name)
    return true
  }
}
