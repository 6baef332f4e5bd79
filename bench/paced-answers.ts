import { firstVisit } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import type { CaptureBox } from './capture-box.ts'
import { formPath } from './paths/form.ts'

export interface Latencies {
  p50Ms: number
  p99Ms: number
}

/** A visitor's form every so often: what is measured is how long it waits, not how much the processors can do. */
const formEveryMs = 20
const samplesMin = 200

/** Forms in one round. */
export const samplesOf = ({ options }: BenchRun): number =>
  Math.max(samplesMin, (options.roundSeconds * 1000) / formEveryMs)

/** Latencies of so many forms, one after the other, or of fewer when it is over before. */
export async function answersTo(box: CaptureBox, isOver: () => boolean, samples: number): Promise<Latencies> {
  const { method, target, headers, body } = await formPath.request(await firstVisit(box))
  const times: number[] = []
  while (times.length < samples && !(times.length % samplesMin === samplesMin - 1 && isOver())) {
    const sent = performance.now()
    const mail = body?.replace(/visitor-[^"]*@/, `visitor-${crypto.randomUUID()}@`) ?? ''
    const answer = await fetch(`http://127.0.0.1:${box.port}${target}`, { method, headers, body: mail })
    await answer.text()
    if (answer.status !== formPath.status) throw new Error(`a form was answered ${answer.status}`)
    times.push(performance.now() - sent)
    await Bun.sleep(formEveryMs)
  }
  times.sort((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
