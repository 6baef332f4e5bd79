import type { FileType } from '../../account/file-type.ts'
import type { LiveForm } from '../../account/live-account.ts'
import { type FileField, fileSalt, sentBytes } from '../../account/visitor-file.ts'
import type { Clock } from '../../lib/clock.ts'
import { rateLimitAddress } from '../../lib/ip.ts'
import type { Log } from '../../lib/log.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'
import type { BudgetStore } from '../budget-store.ts'
import { formBudgets, type Limits, withinBudgets } from '../budgets.ts'
import { allowedOrigin } from '../checks/allowed-origin.ts'
import { registeredForm } from '../checks/registered-form.ts'
import { Refusal } from '../refusal.ts'
import type { SiteRequest } from '../site-request.ts'
import { fileKindOf } from './file-kind.ts'
import { harmlessName } from './file-name.ts'
import type { FileScanner } from './file-scanner.ts'
import type { UploadStore } from './upload-store.ts'
import type { WaitingFiles } from './waiting-files.ts'

export interface FileCapture {
  budgets: BudgetStore
  botCheck: BotCheck
  limits: Limits
  files: WaitingFiles
  uploads: UploadStore
  /** `null`: files are not looked through. */
  scanner: () => FileScanner | null
  clock: Clock
  log: Log
}

/** What an upload says about its file. */
export interface SentFile {
  formId: string
  field: string
  /** As the visitor's system calls it. */
  name: string
  /** A bot-check token, or the token of an earlier upload for the same submission; `null`: none. */
  check: string | null
  /** Called with each piece of the body. */
  onProgress: () => void
}

/** The answer to a file that was taken. */
export interface AcceptedFile {
  file: string
  name: string
  type: FileType
  bytes: number
}

/**
 * `POST /_svc/u/<form_short_id>`: a file for a submission that will name its token. The rules are those of the form, in its order;
 * the body is the file, and reaches the disk as it arrives.
 *
 * @throws Refusal for the first check that fails; LedgerUnavailable when a bot check cannot be recorded
 */
export async function captureFile(asked: SiteRequest, sent: SentFile, capture: FileCapture): Promise<AcceptedFile> {
  const { request, account } = asked
  const origin = allowedOrigin(asked)
  const form = registeredForm(account, sent.formId)
  const takes = fieldOf(form, sent.field)
  const declared = Number(request.headers.get('content-length') ?? takes.bytesMax)
  if (declared > takes.bytesMax) throw tooLarge(takes)
  await withinBudgets(capture.budgets, formBudgets(asked, { formId: form.id, origin, limits: capture.limits }))
  const token = capture.files.newToken()
  if (form.botCheckRequired && sent.check === null) throw new Refusal('bot_check')
  const place = { accountId: account.id, address: rateLimitAddress(asked.clientAddress), bytes: declared }
  return capture.files.within(place, async () => {
    const { sha256, bytes } = await stored(request, { token, accountId: account.id, takes, sent }, capture)
    try {
      // A check is used up when it is verified: whoever loses the connection before can send the file again.
      const check = form.botCheckRequired ? await passedCheck(asked, { sent, token }, capture) : null
      const file = sentBytes(capture.uploads.open(token))
      const type = await takenType(file, takes)
      await assertClean(file, capture)
      const name = harmlessName(sent.name, type)
      const about = { accountId: account.id, formId: form.id, field: sent.field, at: capture.clock.now() }
      await capture.files.add(token, { ...about, name, type, bytes, sha256, check })
      return { file: token, name, type, bytes }
    } catch (error) {
      await capture.uploads.remove(token)
      throw error
    }
  })
}

function fieldOf({ files }: LiveForm, field: string): FileField {
  const found = Object.hasOwn(files, field) ? files[field] : undefined
  if (found === undefined) throw new Refusal('file_field')
  return found
}

/** A check that was just solved goes by this upload's token; one that an earlier upload stands for, by that one's. */
async function passedCheck(
  asked: SiteRequest,
  { sent, token }: { sent: SentFile; token: string },
  { botCheck, files }: FileCapture,
): Promise<string> {
  if (sent.check !== null) await files.bring([sent.check])
  const earlier =
    sent.check === null ? null : files.checkOf(sent.check, { accountId: asked.account.id, formId: sent.formId })
  if (earlier !== null) return earlier
  if (!(await botCheck.verified(asked, sent.check ?? undefined))) throw new Refusal('bot_check')
  return token
}

/** The largest file over a line of a megabit and a half. */
const arriveMsMax = 10 * 60_000
/** Whoever is slower than the slowest phone gives the place to others. */
const leastBytesPerSecond = 4096
const slowMsMax = 30_000

interface Arriving {
  token: string
  accountId: string
  takes: FileField
  sent: SentFile
}

async function stored(request: Request, arriving: Arriving, { clock, files, uploads }: FileCapture) {
  const salt = fileSalt(arriving.accountId)
  const hash = new Bun.SHA256().update(salt)
  const startMs = clock.monotonicMs()
  let bytes = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield salt
    for await (const chunk of request.body ?? []) {
      files.assertHere()
      const sinceMs = clock.monotonicMs() - startMs
      const isSlow = sinceMs > slowMsMax && bytes < (sinceMs / 1000) * leastBytesPerSecond
      if (sinceMs > arriveMsMax || isSlow) throw new Refusal('incomplete')
      arriving.sent.onProgress()
      bytes += chunk.byteLength
      if (bytes > arriving.takes.bytesMax) throw tooLarge(arriving.takes)
      hash.update(chunk)
      yield chunk
    }
  }
  await uploads.write(arriving.token, chunks()).catch(unstored)
  if (bytes < Number(request.headers.get('content-length') ?? 0)) {
    await uploads.remove(arriving.token)
    throw new Refusal('incomplete')
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** The caller left or sent too slowly, which is not a bug; or the disk is full. */
function unstored(error: unknown): never {
  if (error instanceof Refusal) throw error
  if (error instanceof Error && error.name === 'AbortError') throw new Refusal('incomplete')
  throw new Refusal('storage', { retryAfterSeconds: 30, cause: error })
}

async function takenType(file: Blob, { types }: FileField): Promise<FileType> {
  const type = await fileKindOf(file)
  if (type !== null && types.includes(type)) return type
  const message = `The file is not one of these types, which this field takes: ${types.join(', ')}. Its bytes decide, not its name.`
  throw new Refusal('file_type', { message })
}

async function assertClean(file: Blob, { log, ...capture }: FileCapture): Promise<void> {
  const scanner = capture.scanner()
  if (scanner === null) return
  const isClean = await scanner.isClean(file).catch((error) => {
    log.error(
      'A file could not be scanned, and was refused: is clamd running at [limits] clamd, with a StreamMaxLength as large as the largest file?',
      { error: `${error}` },
    )
    throw new Refusal('scanner', { retryAfterSeconds: 30 })
  })
  if (!isClean) throw new Refusal('file_infected')
}

const tooLarge = ({ bytesMax }: FileField) =>
  new Refusal('file_size', { message: `The file is larger than the ${bytesMax} bytes that this field takes.` })
