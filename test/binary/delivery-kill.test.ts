import { expect, test } from 'bun:test'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'
import { applyDeliveries, aWebhook, deliveryBox } from './harness/delivery-box.ts'
import type { RunningServer } from './harness/program.ts'
import { expectIntact } from './harness/promises-kept.ts'

const kills = 6
/** The service is killed when so many more submissions have been acknowledged, at random, and up to so much later. */
const submissionsMax = 60
const laterMsMax = 150
const sendersAtOnce = 4

test(`killed ${kills} times under load, it delivers every submission that it accepted at least once, with the same bytes`, async () => {
  await using receiver = new Receiver({ answer: flaky() })
  await using box = await deliveryBox()
  await applyDeliveries(box, [aWebhook(receiver.url())])
  const accepted = new Set<string>()
  for (let kill = 0; kill < kills; kill++) {
    await using server = await box.serve()
    const wanted = accepted.size + 1 + Math.floor(Math.random() * submissionsMax)
    const sending = startSending(server, accepted)
    await eventually('some are accepted', async () => accepted.size >= wanted)
    await Bun.sleep(Math.random() * laterMsMax)
    server.signal('SIGKILL')
    expect(await server.ended()).toMatchObject({ signal: 'SIGKILL' })
    await sending.stop()
  }
  await using _last = await box.serve()
  await eventually('every accepted submission has arrived', async () => {
    const arrived = new Set(receiver.ids)
    return [...accepted].every((id) => arrived.has(id))
  })
  const bodies = new Map<string, Set<string>>()
  for (const { headers, body } of receiver.received) {
    const id = headers['webhook-id'] ?? ''
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
  }
  expect([...bodies.values()].every((variants) => variants.size === 1)).toBe(true)
  expectIntact(box)
})

/** One request in ten fails, so that retries are killed as well. */
function flaky(): () => Response {
  let requests = 0
  return () => new Response('', { status: ++requests % 10 === 0 ? 503 : 200 })
}

function startSending(server: RunningServer, accepted: Set<string>): { stop: () => Promise<void> } {
  let isOver = false
  const send = async (): Promise<void> => {
    while (!isOver) {
      const answer = await server.send(formRequest({ fields: { email: `${crypto.randomUUID()}@example.test` } }))
      // A machine that stands still may have it put off.
      if (answer.status !== 503) accepted.add(submissionIdOf(answer))
    }
  }
  // Its connections end with the server.
  const senders = Array.from({ length: sendersAtOnce }, () => send().catch(() => {}))
  return {
    stop: async () => {
      isOver = true
      await Promise.all(senders)
    },
  }
}
