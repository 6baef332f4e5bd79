import type { FileType } from '../../account/file-type.ts'
import type { VisitorFile } from '../../ledger/entry.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, newKeyText } from '../../lib/id.ts'
import type { Log } from '../../lib/log.ts'
import { Refusal } from '../refusal.ts'
import { ArrivingFiles, type ArrivingParts, hashedAs, type UploadPlace } from './arriving-files.ts'
import type { UploadStore } from './upload-store.ts'

/** A file that was received, and that no submission has claimed yet. */
export interface WaitingFile {
  accountId: string
  formId: string
  field: string
  name: string
  type: FileType
  bytes: number
  /** Of the stored bytes. */
  sha256: string
  at: number
  /** The upload for which a bot check was solved, by its token; `null`: the form requires none. */
  check: string | null
}

const tokenCharacters = 32
/** A token is `svc_up_` and 32 characters of [A-Za-z0-9]: what a submission names as the value of the field. */
const tokenPattern = new RegExp(`^svc_up_[A-Za-z0-9]{${tokenCharacters}}$`)

/** Unclaimed files go at the first look after that: within the hour. */
const waitingMs = 50 * 60_000
export const lookMs = 10_000

/** How many files one solved bot check lets in; as many as a form takes. */
export const filesPerCheckMax = 100

/** Has `files` take up what other nodes of the cluster received under these tokens. */
export type BringFiles = (tokens: readonly string[], files: Pick<WaitingFiles, 'takeUp'>) => Promise<void>

interface WaitingFilesParts extends ArrivingParts {
  store: UploadStore
  /** Notes stored contents that perhaps no record names, so that they are removed if so. */
  loosen: (hashes: readonly string[]) => Promise<void>
  /** Absent: a single box. */
  bring?: BringFiles | undefined
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'error'>
}

/** Files between their upload and the submission that names them. */
export class WaitingFiles {
  private readonly waiting = new Map<string, WaitingFile>()
  /** Tokens whose submission is being stored, or was. */
  private readonly taken = new Set<string>()
  /** Tokens whose submission was stored, until they are settled; with the content that its record names, or `null`. */
  private readonly unsettled = new Map<string, string | null>()
  /** Files of an earlier process, which may have been stopped before it settled them. */
  private readonly earlier = new Set<string>()
  private readonly arriving: ArrivingFiles
  private hasLeft = false

  constructor(private readonly parts: WaitingFilesParts) {
    this.arriving = new ArrivingFiles(parts)
  }

  /** Takes up what an earlier process received. */
  async open(): Promise<void> {
    for await (const [token, text] of this.parts.store.noted()) {
      const file = notedFile(text)
      if (file === null) {
        this.parts.log.error('A waiting file has an unreadable note, and was removed')
        await this.parts.store.remove(token)
        continue
      }
      this.waiting.set(token, file)
      this.earlier.add(token)
    }
  }

  /** Removes what nobody has claimed in time, and settles what could not be settled at once. */
  async look(): Promise<void> {
    await this.settle([...this.unsettled.keys()])
    const before = this.parts.clock.now() - waitingMs
    const late = [...this.waiting].filter(([token, { at }]) => at <= before && !this.taken.has(token))
    // A submission that was checked in time would be stored without their bytes.
    for (const [token] of late) this.taken.add(token)
    await this.removeUnclaimed(late).finally(() => {
      for (const [token] of late) this.taken.delete(token)
    })
  }

  private async removeUnclaimed(late: readonly [token: string, file: WaitingFile][]): Promise<void> {
    const complaint = 'An unclaimed file could not be removed'
    const loose = new Map<string, string>()
    for (const [token, { sha256 }] of late)
      await this.trying(complaint, async () => {
        // Its record may have been stored while its content was collected: whoever removes loose contents knows.
        if (this.earlier.has(token)) await this.parts.store.keep(token, sha256)
        loose.set(token, sha256)
      })
    // Of submissions that were not stored after all, such as at a kill. They may be removed at once, so none is stored from here on.
    if (loose.size > 0) await this.parts.loosen([...loose.values()])
    for (const token of loose.keys()) await this.trying(complaint, () => this.drop(token))
  }

  /** Another process gets the folder, and knows nothing of what arrives here: from now on that is refused. */
  leave(): void {
    this.hasLeft = true
  }

  /** @throws Refusal once another process gets the folder; whoever sends the file again reaches that one */
  assertHere(): void {
    const message = 'The service is being replaced: send the file again.'
    if (this.hasLeft) throw new Refusal('uploads', { retryAfterSeconds: 1, message })
  }

  /** Takes a place for a file that is about to arrive, for as long as `receive` runs. @throws Refusal when there is none */
  async within<T>(place: UploadPlace, receive: () => Promise<T>): Promise<T> {
    try {
      return await this.arriving.within(place, [...this.waiting.values()], receive)
    } catch (error) {
      // The other process removes what it does not know.
      this.assertHere()
      throw error
    }
  }

  /** A new token, under which bytes are written. */
  newToken(): string {
    return `svc_up_${newKeyText(tokenCharacters)}`
  }

  /** From now on a submission can claim the file. @throws Refusal if a submission has used up its bot check meanwhile */
  async add(token: string, file: WaitingFile): Promise<void> {
    await this.parts.store.note(token, JSON.stringify(file))
    this.assertHere()
    if (file.check !== null && file.check !== token && !this.isOpen(file.check)) throw new Refusal('bot_check')
    this.waiting.set(token, file)
  }

  /** Brings here what another node received under tokens that are unknown here, so that it can be claimed. */
  async bring(tokens: readonly string[]): Promise<void> {
    if (this.parts.bring === undefined) return
    const unknown = tokens.filter((token) => tokenPattern.test(token) && !this.waiting.has(token))
    if (unknown.length > 0) await this.parts.bring(unknown, this)
  }

  /**
   * Lends a file to another node, with all that the same bot check let in: nobody claims them here meanwhile.
   *
   * @returns `null`: nothing waits under the token
   */
  lend(token: string): Map<string, WaitingFile> | null {
    const asked = this.waiting.get(token)
    if (asked === undefined || this.taken.has(token)) return null
    const isOf = ([other, { check }]: [string, WaitingFile]) =>
      other === token || (check !== null && check === asked.check && !this.taken.has(other))
    const lent = new Map([...this.waiting].filter(isOf))
    for (const other of lent.keys()) this.taken.add(other)
    return lent
  }

  /** The other node has them, and gives none back; or it has not, and they wait on here. */
  async lentFor(tokens: Iterable<string>, isGood: boolean): Promise<void> {
    for (const token of tokens) {
      if (isGood) await this.trying('A file that another node has now could not be removed', () => this.drop(token))
      this.taken.delete(token)
    }
  }

  /**
   * Takes up files that another node lends, all or none.
   *
   * @throws Refusal when there is no room, or their bytes are others
   */
  async takeUp(
    lent: ReadonlyMap<string, WaitingFile>,
    chunksOf: (token: string) => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<void> {
    const { store } = this.parts
    const [[address, { accountId }] = ['', { accountId: '' }]] = lent
    const bytes = [...lent.values()].reduce((sum, file) => sum + file.bytes, 0)
    await this.within({ accountId, address, bytes }, async () => {
      try {
        for (const [token, file] of lent) {
          await store.write(token, hashedAs(file.sha256, await chunksOf(token)))
          await store.note(token, JSON.stringify(file))
        }
        this.assertHere()
      } catch (error) {
        for (const token of lent.keys()) await store.remove(token)
        throw error
      }
      for (const [token, file] of lent) this.waiting.set(token, file)
    })
  }

  /** The solved bot check that a token of an earlier upload stands for; `null`: none, or it has let in enough. */
  checkOf(token: string, of: { accountId: string; formId: string }): string | null {
    const check = this.named(token, of)?.check ?? null
    if (check === null) return null
    return this.isOpen(check) ? check : null
  }

  /** Whether a solved bot check lets in another file: a submission uses it up. */
  private isOpen(check: string): boolean {
    const files = [...this.waiting].filter(([, file]) => file.check === check)
    return files.length < filesPerCheckMax && files.some(([token]) => !this.taken.has(token))
  }

  /** The files that a submission names; `null`: one of them is unknown, expired, another form's, or claimed by another submission. */
  claim(named: readonly { field: string; token: string }[], of: { accountId: string; formId: string }): Claim | null {
    const found = named.map(({ field, token }) => ({ token, file: this.named(token, of), field }))
    const files = found.flatMap(({ token, file, field }) => (file?.field === field ? [{ token, file }] : []))
    if (files.length < named.length || new Set(files.map(({ token }) => token)).size < files.length) return null
    return {
      files: files.map(({ file }) => visitorFile(file)),
      passedCheck: isOneCheck(files.map(({ file }) => file)),
      store: (append) => this.store(files, append),
    }
  }

  private async store(files: readonly { token: string; file: WaitingFile }[], append: () => Promise<void>) {
    const tokens = [...files.map(({ token }) => token), ...this.othersOf(files)]
    if (tokens.some((token) => this.taken.has(token) || !this.waiting.has(token))) throw new Refusal('file')
    for (const token of tokens) this.taken.add(token)
    try {
      await this.keep(files)
      await append()
    } catch (error) {
      for (const token of tokens) this.taken.delete(token)
      throw error
    }
    for (const token of tokens) this.unsettled.set(token, null)
    for (const { token, file } of files) this.unsettled.set(token, file.sha256)
    await this.settle(tokens)
  }

  /** What is left to do once a record is stored. Never rejects: the visitor would send again what is stored. */
  private async settle(tokens: readonly string[]): Promise<void> {
    for (const token of tokens)
      await this.trying('A file of a stored submission could not be settled, and is tried again', async () => {
        const sha256 = this.unsettled.get(token) ?? null
        // Once more: nothing named the content until its record did, and whoever collects what nothing names may have been faster.
        if (sha256 !== null) await this.parts.store.keep(token, sha256)
        await this.drop(token)
        this.unsettled.delete(token)
        this.taken.delete(token)
      })
  }

  /** One file that fails keeps no other from its turn. */
  private async trying(complaint: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.parts.log.error(complaint, { error: `${error}` })
    }
  }

  private async keep(files: readonly { token: string; file: WaitingFile }[]): Promise<void> {
    for (const { token, file } of files)
      await this.parts.store.keep(token, file.sha256).catch((cause) => {
        throw new Refusal('storage', { retryAfterSeconds: 2, cause })
      })
  }

  /** What the same bot check let in and no field names: the check is used up with this submission. */
  private othersOf(files: readonly { token: string; file: WaitingFile }[]): string[] {
    const checks = new Set(files.map(({ file }) => file.check))
    const named = new Set(files.map(({ token }) => token))
    return [...this.waiting].flatMap(([token, { check }]) =>
      check !== null && checks.has(check) && !named.has(token) ? [token] : [],
    )
  }

  private named(token: string, { accountId, formId }: { accountId: string; formId: string }): WaitingFile | null {
    const file = tokenPattern.test(token) ? this.waiting.get(token) : undefined
    const isOf = file?.accountId === accountId && file.formId === formId
    return isOf && file.at > this.parts.clock.now() - waitingMs && !this.taken.has(token) ? file : null
  }

  private async drop(token: string): Promise<void> {
    this.waiting.delete(token)
    this.earlier.delete(token)
    await this.parts.store.remove(token)
  }
}

/** Files that a submission is about to have. */
export interface Claim {
  files: VisitorFile[]
  /** Whether one solved bot check let all of them in, which then counts for the submission too. */
  passedCheck: boolean
  /** Stores them with the record. @throws Refusal if another submission has been faster; then, and if `append` rejects, they wait on */
  store(append: () => Promise<void>): Promise<void>
}

/** `null`: the note is not whole. */
function notedFile(text: string): WaitingFile | null {
  try {
    const file: WaitingFile | null = JSON.parse(text)
    return typeof file?.sha256 === 'string' && typeof file.at === 'number' ? file : null
  } catch {
    return null
  }
}

const visitorFile = ({ field, name, type, bytes, sha256 }: WaitingFile): VisitorFile => ({
  id: newId(),
  ...{ field, name, type, bytes, sha256 },
})

const isOneCheck = (files: readonly WaitingFile[]): boolean =>
  files.length > 0 && files.every(({ check }) => check !== null && check === files[0]?.check)
