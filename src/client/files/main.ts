import { controlsOf, type Draft, idOf } from '../page-forms.ts'
import type { Answer, FileRules } from '../requests.ts'
import type { VisitorTexts } from '../visitor-texts.ts'

/** What `/_svc/f.js` asks of this file. */
export interface Uploads {
  /** Gives a form's file fields what they take, whenever it is called. */
  judge: (form: HTMLFormElement, rules: FileRules) => void
  /**
   * Sends the chosen files; resolves to nothing where none is chosen. Rejects with an `Answer`.
   *
   * @param solve solves the bot check of the form; resolves to nothing where it requires none
   */
  send: (draft: Draft, rules: FileRules, solve: () => Promise<string | undefined>) => Promise<SentFiles | undefined>
}

interface SentFiles {
  /** What their fields are in the submission. */
  fields: Record<string, string | string[]>
  /**
   * Forgets them if the answer to the submission says that they are used up. Returns whether it was refused for files of an earlier
   * try, which the box may have no more: sent again, the form sends them again.
   */
  settle: (answer: Answer) => boolean
}

type Texts = Partial<VisitorTexts>

const triesMax = 6
const retryMs = 1_000
const retryMsMax = 16_000
/** A box forgets files that nobody claims after 50 minutes. */
const keptMs = 45 * 60_000

/**
 * The file `/_svc/u.js`, loaded where a form takes files.
 *
 * Sends what visitors chose before the form itself, each once however often they send the form, and again where the connection was
 * lost (docs/files.md).
 */
export function fileUploads(origin: string, texts: Texts): Uploads {
  /** Messages that this file has set last on each field, so that a page's own messages stay. */
  const messages = new WeakMap<HTMLInputElement, string>()
  const sent = new Map<string, { token: string; at: number }>()

  const judge: Uploads['judge'] = (form, rules) => {
    for (const control of controlsOf(form)) {
      const { name, type, files } = control
      const rule = rules[name]
      if (type !== 'file' || !rule) continue
      control.accept ||= rule.accept
      const fault = faultOf([...(files ?? [])], rule)
      const message = fault ? textOf(texts, fault) : ''
      if (message || messages.get(control)) control.setCustomValidity(message)
      messages.set(control, message)
    }
  }

  const send: Uploads['send'] = async (draft, rules, solve) => {
    const { form, data } = draft
    const chosen = [...data].filter((entry): entry is [string, File] => isFile(entry[1]) && !!rules[entry[0]])
    for (const [name, rule] of Object.entries(rules)) {
      const fault = faultOf(
        chosen.filter(([field]) => field === name).map(([, file]) => file),
        rule,
      )
      if (fault) throw [0, { error: fault }, 0]
    }
    const keyOf = ([field, { name, size, lastModified }]: [string, File]) =>
      [idOf(form), field, name, size, lastModified].join('\n')
    const known = (entry: [string, File]) => {
      const found = sent.get(keyOf(entry))
      return found && Date.now() - found.at < keptMs ? found.token : undefined
    }
    if (!chosen[0]) return
    // One solved check lets in all files of a submission, and the submission.
    let check = chosen.map(known).find((token) => token)
    const isReused = !!check
    const forget = () => {
      for (const entry of chosen) sent.delete(keyOf(entry))
    }
    const fields: SentFiles['fields'] = Object.create(null)
    for (const entry of chosen) {
      const [field, file] = entry
      let token = known(entry)
      if (!token) {
        const bar = progressAt(form, field, file.name)
        try {
          token = await upload(`${origin}/_svc/u/${idOf(form)}?field=${encodeURIComponent(field)}`, file, {
            check: async () => check ?? (await solve()),
            onProgress: (share) => Object.assign(bar, { value: share }),
            limits: limitsOf(rules[field] as FileRule),
          })
        } catch (error) {
          // The check went with a submission whose answer was lost.
          if (!isReused || (error as Answer)[1].error?.code !== 'bot') throw error
          forget()
          return send(draft, rules, solve)
        } finally {
          bar.remove()
        }
        sent.set(keyOf(entry), { token, at: Date.now() })
      }
      check ??= token
      fields[field] = field in fields ? [fields[field] ?? '', token].flat() : token
    }
    const settle = ([status, { error }]: Answer) => {
      const isRefused = /^(validation|bot)$/.test(`${error?.code}`)
      if (status === 200 || isRefused) forget()
      return isRefused && isReused
    }
    return { fields, settle }
  }

  return { judge, send }
}

const isFile = (value: FormDataEntryValue): value is File => typeof value !== 'string' && !!value.name

type FileRule = FileRules[string]

/** What texts name of a field's rule. */
const limitsOf = ({ types, bytesMax, count }: FileRule) => ({ types: types.join(', '), max: sizeText(bytesMax), count })

type Limits = ReturnType<typeof limitsOf>

interface Fault extends Limits {
  code: 'file_type' | 'file_too_large' | 'file_count'
  message: string
}

/** What a field does not take of the chosen files, as far as a browser can tell: the box looks at the bytes. */
function faultOf(files: File[], rule: FileRule): Fault | undefined {
  const { types, accept, bytesMax, count } = rule
  const limits = limitsOf(rule)
  if (files.length > count) return { code: 'file_count', message: `more than ${count} files`, ...limits }
  if (files.some(({ size }) => size > bytesMax))
    return { code: 'file_too_large', message: `larger than ${bytesMax} bytes`, ...limits }
  const endings = accept.split(',')
  const isOther = ({ name }: File) => !endings.includes(name.slice(name.lastIndexOf('.')).toLowerCase())
  return files.some(isOther) ? { code: 'file_type', message: `not one of ${types}`, ...limits } : undefined
}

const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.floor(bytes / 1024)} KB` : `${Math.floor(bytes / 104_857.6) / 10} MB`

const textOf = (texts: Texts, fault: Fault): string =>
  (texts[fault.code] ?? fault.message).replace(/{(\w+)}/g, (_, name) => `${fault[name as keyof Fault]}`)

/** A bar behind the field of the file. */
function progressAt(form: HTMLFormElement, field: string, name: string): HTMLProgressElement {
  const bar = Object.assign(document.createElement('progress'), { className: 'svc-progress', max: 1, value: 0 })
  bar.setAttribute('aria-label', name)
  const control = [...controlsOf(form)].find((control) => control.name === field)
  control?.after(bar)
  return bar
}

interface Upload {
  check: () => Promise<string | undefined>
  onProgress: (share: number) => void
  limits: Limits
}

/** Sends a file until the box has answered, through lost connections. Resolves to its token. */
async function upload(url: string, file: File, { check, onProgress, limits }: Upload): Promise<string> {
  let wasLost = false
  for (let tries = 1; ; tries++) {
    const [status, body, seconds] = await post(url, file, { check: await check(), onProgress })
    if (status === 200) return body.file ?? ''
    const { code = 'unavailable' } = body.error ?? {}
    // An answer may have been lost when the check was used up already: it is solved once more.
    const isWorth =
      status === 0 || code === 'rate_limited' || (code === 'unavailable' && seconds > 0) || (code === 'bot' && wasLost)
    if (!isWorth || tries === triesMax)
      throw [status, { error: { message: 'no answer', ...limits, ...body.error, code } }, seconds]
    wasLost = status === 0
    await online()
    await pause(Math.max(seconds * 1000, Math.min(retryMs * 2 ** (tries - 1), retryMsMax)))
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Until the browser has a connection again, as far as it knows. */
const online = () =>
  navigator.onLine ? undefined : new Promise((resolve) => addEventListener('online', resolve, { once: true }))

type FileAnswer = [status: number, body: Answer[1] & { file?: string }, retryAfterSeconds: number]

/** `fetch` tells nothing of the progress of what it sends. */
const post = (
  url: string,
  file: File,
  { check, onProgress }: { check: string | undefined; onProgress: Upload['onProgress'] },
) =>
  new Promise<FileAnswer>((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.withCredentials = true
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('X-SVC-File-Name', encodeURIComponent(file.name))
    if (check) request.setRequestHeader('X-SVC-Bot-Check', check)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onloadend = () => {
      let body = {}
      try {
        body = JSON.parse(request.responseText) ?? {}
      } catch {
        // A proxy's answer, or none.
      }
      resolve([request.status, body, request.status ? +(request.getResponseHeader('Retry-After') ?? 0) || 0 : 0])
    }
    request.send(file)
  })
