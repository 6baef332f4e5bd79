import type { AssetStore } from '../asset/asset-store.ts'
import { assetsFolder } from '../asset/stored-name.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { AssetWriter, breather, calmShare, promptShare, type WrittenBase, writeBase } from './base-writer.ts'
import { type Compress, openSealer, type Sealer } from './format/sealing.ts'
import { assertOwner, type Hold, type HoldParts } from './owner.ts'
import { checkTarget } from './restore/verify.ts'
import { sweep } from './sweep.ts'
import { ObjectFault } from './target/backup-target.ts'
import type { BackupWork, TargetReport } from './target-state.ts'

/** What `[backup]` of the configuration asks for. */
export interface BackupTerms {
  recipients: readonly string[]
  baseEveryMs: number
  /** 0: none. */
  incrementEveryMs: number
  keepMs: number
}

export interface UpkeepParts extends Pick<HoldParts, 'target' | 'source' | 'states'> {
  assets: Pick<AssetStore, 'open'>
  terms: BackupTerms
  /** The program's version. */
  program: string
  scratch: () => { file: string; remove(): void }
  compress: Compress
  report: TargetReport
  clock: Clock
  log: Log
  signal: AbortSignal
  /** @returns the instant of the base that begins now, epoch milliseconds */
  onBaseBegun: (hold: Hold) => number
  onBase: (hold: Hold, base: WrittenBase) => void
}

const baseAgainMs = 60_000
/** Published bytes that a first base waits for: seconds on a usual line. */
const promptBytesMax = 16 * 1024 * 1024

/** What takes long at a target, and goes beside its increments: bases, contents, deletions and checks. */
export class Upkeep {
  /** The box's revision, as increments see it, and that whose contents were sent. */
  revision = 0
  private sentRevision = 0
  /** The last submission with files, as increments see it, and that whose files were sent. */
  files = 0
  private sentFiles = 0
  private baseNotBefore = 0
  private isSweepDue = false
  /** Whether the latest base went before contents that it needs; `null`: another process made it. */
  private isBaseBare: boolean | null = null
  /** One thing at a time, because it takes long. */
  private running: Promise<void> | null = null
  private readonly contents: AssetWriter
  private readonly check: WeeklyCheck

  constructor(private readonly parts: UpkeepParts) {
    this.contents = new AssetWriter(parts.target, parts.assets)
    this.check = new WeeklyCheck(parts, this.contents, { send: () => this.sendContents(), sealer: () => this.sealer() })
  }

  /** Begins what is due, unless something is under way. */
  beginDue(hold: Hold): void {
    const { check, parts } = this
    if (this.running !== null) return
    const now = parts.clock.now()
    if (now >= this.baseNotBefore && this.isBaseDue(hold, now)) this.begin('bases', this.makeBase(hold))
    else if (this.sentRevision !== this.revision) this.begin('contents', this.sendContents())
    else if (this.sentFiles !== this.files) this.begin('contents', this.sendFiles())
    else if (this.isSweepDue) this.begin('deletions', this.deleteOld(hold))
    else if (hold.base !== null && check.isDue(now)) this.begin('verification', check.run(parts.signal))
  }

  async settle(): Promise<void> {
    await this.running
  }

  private begin(work: BackupWork, done: Promise<void>): void {
    const { report, signal } = this.parts
    this.running = done
      .then(() => report.succeeded(work))
      .catch((error) => {
        this.contents.forget()
        if (!signal.aborted) report.failed(work, error)
      })
      .finally(() => {
        this.running = null
      })
  }

  private isBaseDue({ base, isBaseBare }: Hold, now: number): boolean {
    return (
      base === null ||
      (this.isBaseBare ?? isBaseBare) ||
      this.check.wantsBase ||
      now - base.at >= this.parts.terms.baseEveryMs
    )
  }

  private async makeBase(hold: Hold): Promise<void> {
    const { clock, compress, log, onBase, onBaseBegun, program, report, scratch, signal, source, target, terms } =
      this.parts
    this.baseNotBefore = clock.now() + baseAgainMs
    const at = onBaseBegun(hold)
    const pause = breather(clock, hold.base === null ? promptShare : calmShare)
    // Somebody may have deleted contents.
    this.contents.forget()
    // Records need protection first: until there is a base, the target has nothing of them.
    const sendsContents = hold.base !== null || !(await this.contents.lacksMoreThan(promptBytesMax, source.hashes()))
    const breathe = async (): Promise<void> => {
      await pause()
      if (sendsContents && this.sentRevision !== this.revision) await this.sendContents()
    }
    const base = await writeBase({
      ...{ target, source, assets: this.contents, recipients: terms.recipients, history: hold.owner.history, at },
      ...{ compress, program, scratch, signal, breathe, assertOurs: () => this.assertOurs(hold) },
      sendsContents,
    })
    onBase(hold, base)
    const isSafe = terms.incrementEveryMs === 0 || report.state.safeAt === null
    report.succeeded('bases', { baseAt: at, ...(isSafe ? { safeAt: at } : {}) })
    const { assets, bytes, missingAssets } = base
    log.info('A base was backed up.', { target: target.url, bytes, assets, missingAssets })
    this.baseNotBefore = 0
    this.isSweepDue = true
    this.isBaseBare = !sendsContents && missingAssets > 0
    this.check.baseMade()
  }

  private async deleteOld(hold: Hold): Promise<void> {
    const { clock, log, source, target, terms } = this.parts
    await this.assertOurs(hold)
    const { keepMs, baseEveryMs } = terms
    const swept = await sweep(target, { now: clock.now(), keepMs, baseEveryMs, hashes: source.hashes() })
    this.isSweepDue = false
    if (swept.contents > 0) this.contents.forget()
    if (swept.bases + swept.increments + swept.contents > 0)
      log.info('Old backups were deleted.', { target: target.url, ...swept })
  }

  private async sendContents(): Promise<void> {
    const { revision } = this
    await this.contents.send(this.parts.source.hashes(), await this.sealer(), this.parts.signal)
    this.sentRevision = revision
  }

  private async sendFiles(): Promise<void> {
    const { files } = this
    await this.contents.send(this.parts.source.fileHashes(this.sentFiles), await this.sealer(), this.parts.signal)
    this.sentFiles = files
  }

  private sealer(): Promise<Sealer> {
    return openSealer(this.parts.terms.recipients, this.parts.compress)
  }

  private assertOurs({ owner }: Hold): Promise<void> {
    const { states, target } = this.parts
    return assertOwner(target, owner, states.read(target.url).runs)
  }
}

/** How often the objects of the latest moment are read back, and how soon again when some are damaged or their target was away. */
const verifyEveryMs = 7 * 86_400_000
const verifyAgainMs = 3_600_000
const awayMsMin = 60_000

/** Reads back once a week what a target would restore, and sends again what is missing or damaged. */
class WeeklyCheck {
  /** Whether something is damaged that only a new base makes good. */
  wantsBase = false
  private notBefore = 0

  constructor(
    private readonly parts: UpkeepParts,
    private readonly contents: AssetWriter,
    private readonly using: { send: () => Promise<void>; sealer: () => Promise<Sealer> },
  ) {}

  isDue(now: number): boolean {
    return now >= this.notBefore && now - (this.parts.report.state.verifiedAt ?? 0) >= verifyEveryMs
  }

  /** A new base is a new latest moment, to be looked at soon if the one before was damaged. */
  baseMade(): void {
    if (this.wantsBase) this.notBefore = 0
    this.wantsBase = false
  }

  /** @throws ObjectFault of the first object that stays missing or damaged, TargetFault, or the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.parts
    const now = clock.now()
    this.notBefore = now + verifyAgainMs
    try {
      await this.look(now, signal)
    } catch (error) {
      // What is damaged stays so for a while; a target that was away may be back soon.
      const ended = clock.now()
      if (!(error instanceof ObjectFault)) this.notBefore = ended + Math.max(awayMsMin, ended - now)
      throw error
    }
  }

  private async look(now: number, signal: AbortSignal): Promise<void> {
    const { clock, report, source, target } = this.parts
    this.contents.forget()
    await this.using.send()
    const contents = (await this.contents.present(source.hashes())).names
    const faults: ObjectFault[] = []
    const onFault = (fault: ObjectFault): void => void faults.push(fault)
    await checkTarget(target, { scope: 'latest', contents, onFault, breathe: breather(clock, calmShare), signal })
    const [first] = await this.healed(faults)
    if (first !== undefined) throw first
    report.succeeded('verification', { verifiedAt: now })
  }

  private async healed(faults: readonly ObjectFault[]): Promise<ObjectFault[]> {
    const { log, target } = this.parts
    const left: ObjectFault[] = []
    for (const fault of faults) {
      const isContent = fault.object.startsWith(assetsFolder)
      if (!isContent) this.wantsBase = true
      if (!isContent || !(await this.contents.replace(fault.object, await this.using.sealer()))) left.push(fault)
    }
    const contents = faults.length - left.length
    if (contents > 0) log.warn('Damaged contents at the target were sent again.', { target: target.url, contents })
    return left
  }
}
