import { eventRequest, formRequest, submissionIdOf } from '../../harness/capture-requests.ts'
import { type Answer, jsonOf, type Sent } from '../../harness/http.ts'
import type { RunningServer } from './program.ts'

/** What the service has acknowledged, and so promised to hold. */
export interface Acknowledged {
  submissionIds: string[]
  /** Markers of accepted batches, with the number of events that each was accepted with. */
  batches: Map<string, number>
  /** Devices that a click was the first request of: one click each. */
  clickDeviceIds: string[]
}

export const nothingAcknowledged = (): Acknowledged => ({ submissionIds: [], batches: new Map(), clickDeviceIds: [] })

/** Connections of each kind that send one request after the other. */
const connectionsEach = 2
const batchEvents = 5

export interface LoadOptions {
  server: RunningServer
  /** A tracked link of the account, without a cookie. */
  link: Sent
  /** Every acknowledgement is noted here as it comes. */
  acknowledged: Acknowledged
  /** Answers other than an acceptance are no fault of this load: a 503 of a full disk, say. Default: they fail. */
  mayRefuse?: (answer: Answer) => boolean
  /** A page of the account that is looked at besides. Nothing is promised of a view. */
  page?: Sent
  /** Whose forms these are. */
  email?: () => string
  /** Between two requests of a connection; default: none. */
  pauseMs?: number
}

/** Of a test in which a machine that stalls may refuse records: only what was acknowledged is promised. */
export const mayBeBusy = ({ status }: Pick<Answer, 'status'>): boolean => status === 503

/** A load that runs until it is stopped or the service has gone. */
export interface Load {
  /** Resolves when so many requests have been acknowledged, at the latest when the load has ended. */
  reached(requests: number): Promise<void>
  /** Sends nothing more, and waits for what is under way. @throws when an answer was not one that may come */
  stop(): Promise<void>
}

/** Submissions, batches and clicks over a few connections at once, each with a mark to find it by. */
export function startLoad(options: LoadOptions): Load {
  const run = new LoadRun(options)
  return { reached: (requests) => run.reached(requests), stop: () => run.stop() }
}

class LoadRun {
  private stopping = false
  private count = 0
  private waiting: { requests: number; resolve: () => void }[] = []
  private readonly senders: Promise<void>[]

  constructor(private readonly options: LoadOptions) {
    const kinds = [() => this.submission(), () => this.batch(), () => this.click()]
    const { page } = options
    if (page !== undefined) kinds.push(async () => this.goesOn(await this.answer(page), 200))
    this.senders = kinds.flatMap((kind) => Array.from({ length: connectionsEach }, () => this.sendMany(kind)))
    // Looked at by `stop`, which may come after the fault.
    for (const sender of this.senders) sender.catch(() => {})
  }

  async reached(requests: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.waiting.push({ requests, resolve })
    this.wake()
    await Promise.race([promise, Promise.allSettled(this.senders)])
  }

  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.senders)
  }

  private async sendMany(one: () => Promise<boolean>): Promise<void> {
    const { pauseMs = 0 } = this.options
    while (!this.stopping && (await one())) {
      this.wake()
      if (pauseMs > 0) await Bun.sleep(pauseMs)
    }
  }

  private async submission(): Promise<boolean> {
    const { email } = this.options
    const answer = await this.answer(formRequest(email && { fields: { email: email() } }))
    if (answer?.status === 200) this.options.acknowledged.submissionIds.push(submissionIdOf(answer))
    return this.goesOn(answer, 200)
  }

  private async batch(): Promise<boolean> {
    const marker = crypto.randomUUID()
    const events = Array.from({ length: batchEvents }, () => ({ event: 'step', properties: { marker } }))
    const answer = await this.answer(eventRequest({ events }))
    if (answer?.status === 202) this.options.acknowledged.batches.set(marker, Number(jsonOf(answer).accepted))
    return this.goesOn(answer, 202)
  }

  private async click(): Promise<boolean> {
    const answer = await this.answer(this.options.link)
    if (answer?.status === 302) this.options.acknowledged.clickDeviceIds.push(deviceIdOf(answer))
    return this.goesOn(answer, 302)
  }

  /** `null`: the service has gone, before or while it answered. */
  private async answer(sent: Sent): Promise<Answer | null> {
    try {
      return await this.options.server.send(sent)
    } catch {
      return null
    }
  }

  private goesOn(answer: Answer | null, accepted: number): boolean {
    if (answer === null) return false
    if (answer.status === accepted) this.count++
    else if (!this.options.mayRefuse?.(answer)) throw new Error(`answered ${answer.status}: ${answer.text}`)
    return true
  }

  private wake(): void {
    for (const { requests, resolve } of this.waiting) if (this.count >= requests) resolve()
  }
}

/** The device in the identity cookie that an answer sets. */
function deviceIdOf(answer: Answer): string {
  const cookie = answer.headers.getSetCookie().join()
  const id = /svc_id=([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/.exec(cookie)?.[1]
  if (id === undefined) throw new Error(`no device in the cookie: ${cookie}`)
  return id
}
