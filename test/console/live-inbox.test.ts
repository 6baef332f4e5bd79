import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const forms = [aForm(), aForm({ id: 'contact2' })]
  box = await Box.start([aSite({ forms }), aSite({ account: 'other' })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const streams: AbortController[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.abort()
})

/** What a browser hears of the stream, until it has heard `until`. */
async function hear(visitor: ConsoleVisitor, path: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  streams.push(leaving)
  const response = await fetch(`http://127.0.0.1:${box.consolePort}${path}`, {
    headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: visitor.cookie, ...headers },
    redirect: 'manual',
    signal: leaving.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const until = async (text: string): Promise<string> => {
    while (!heard.includes(text)) {
      const part = await reader?.read()
      if (part === undefined || part.done) throw new Error(`the stream ended before ${text}: ${heard}`)
      heard += part.value
    }
    return heard
  }
  const end = async (): Promise<string> => {
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) return heard
      heard += part.value
    }
  }
  return { response, until, end }
}

const send = async (name: string, overrides: { form?: string; account?: string; fields?: object } = {}) => {
  const { fields, ...where } = overrides
  return submissionIdOf(
    await box.send(formRequest({ ...where, fields: { name, email: `${name}@example.test`, ...fields } })),
  )
}

const place = async (query = '', visitor = owner): Promise<string> => {
  const { text } = await visitor.get(`/a/acme${query}`)
  const [, live = '', after = ''] = /data-live="([^"]+)" data-after="(\d+)"/.exec(text) ?? []
  return `${live.replaceAll('&amp;', '&')}&after=${after}`
}

const eventsIn = (text: string): { who: string; id: string; state: string | null }[] =>
  [...text.matchAll(/^event: lead\nid: \d+\ndata: (.*)$/gm)].map(([, json = '']) => JSON.parse(json))

describe('the live inbox', () => {
  test('tells of what arrives after the page was made, also before the stream was open', async () => {
    const path = await place()
    await send('early')
    const { response, until } = await hear(owner, path)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    await until('early')
    const id = await send('late')
    const heard = await until('late')
    expect(eventsIn(heard).map(({ who }) => who)).toEqual(['early', 'late'])
    expect(eventsIn(heard)[1]?.id).toBe(id)
  })

  test('goes on where a lost stream ended', async () => {
    const first = await hear(owner, await place())
    await send('heard')
    const [, id = ''] = /id: (\d+)/.exec(await first.until('heard')) ?? []
    await send('missed')
    const second = await hear(owner, '/a/acme/live?after=1', { 'last-event-id': id })
    expect(eventsIn(await second.until('missed')).map(({ who }) => who)).toEqual(['missed'])
  })

  test('tells only of what the filters show, and of no other account', async () => {
    const { until } = await hear(owner, await place('?form=contact2&q=wanted'))
    await send('wanted-elsewhere', { form: 'contact1' })
    await send('other', { form: 'contact2' })
    await send('wanted-by-another', { account: 'other' })
    await send('wanted', { form: 'contact2' })
    expect(eventsIn(await until('"wanted"')).map(({ who }) => who)).toEqual(['wanted'])
  })

  test('tells of states as they are by now, and leaves out what a filter by state no longer shows', async () => {
    const [path, ofNew] = [await place(), await place('?state=new')]
    const id = await send('worked-on')
    await owner.send('POST', `/a/acme/s/${id}`, { do: 'done' })
    await send('not-yet')
    const all = eventsIn(await (await hear(owner, path)).until('not-yet'))
    expect(all.map(({ who, state }) => [who, state])).toEqual([
      ['worked-on', 'done'],
      ['not-yet', 'new'],
    ])
    const stillNew = eventsIn(await (await hear(owner, ofNew)).until('not-yet'))
    expect(stillNew.map(({ who }) => who)).toEqual(['not-yet'])
  })

  test('masks for clients what the list masks', async () => {
    const client = new ConsoleVisitor(box)
    await client.accept(await ConsoleVisitor.invite(box, ['c@acme.example', '--account', 'acme', '--role', 'client']))
    const { until } = await hear(client, await place('', client))
    await send('unnamed')
    const heard = await until('event: lead')
    expect(heard).not.toContain('unnamed')
  })

  test('ends when the user signs out, with nothing of what arrives later', async () => {
    const leaver = new ConsoleVisitor(box)
    await leaver.accept(await ConsoleVisitor.invite(box, ['l@acme.example', '--account', 'acme', '--role', 'viewer']))
    const { until, end } = await hear(leaver, await place('', leaver))
    await until('retry')
    await leaver.send('POST', '/sign-out', {})
    await send('after-the-end')
    expect(await end()).not.toContain('after-the-end')
  })

  test('is nobody’s who is not signed in, or has no part in the account', async () => {
    const nobody = await hear(new ConsoleVisitor(box), '/a/acme/live')
    expect(nobody.response.status).toBe(303)
    const stranger = new ConsoleVisitor(box)
    await stranger.accept(await ConsoleVisitor.invite(box, ['s@o.example', '--account', 'other', '--role', 'admin']))
    expect((await hear(stranger, '/a/acme/live')).response.status).toBe(404)
  })

  test('keeps no session in use', async () => {
    const visitor = await ConsoleVisitor.owner(box)
    using database = new Database(join(box.dir, 'data', 'capture.db'))
    database.run('PRAGMA busy_timeout = 5000')
    const lastUse = () =>
      database.query<{ at: number }, []>('SELECT last_used_at AS at FROM console_session ORDER BY rowid DESC').get()?.at
    database.run('UPDATE console_session SET last_used_at = last_used_at - 3600000')
    const before = lastUse()
    await (await hear(visitor, '/a/acme/live')).until('retry')
    expect(lastUse()).toBe(before)
    await visitor.get('/a/acme')
    expect(lastUse()).not.toBe(before)
  })

  test('is open eight times for a user at most, and again once one has left', async () => {
    const visitor = await ConsoleVisitor.owner(box)
    const opened = []
    for (let count = 0; count < 8; count++) opened.push(await hear(visitor, '/a/acme/live'))
    expect(opened.map(({ response }) => response.status)).toEqual(Array(8).fill(200))
    expect((await hear(visitor, '/a/acme/live')).response.status).toBe(204)
    for (const stream of streams.splice(0)) stream.abort()
    for (;;) {
      const { response } = await hear(visitor, '/a/acme/live')
      if (response.status === 200) break
      await Bun.sleep(50)
    }
  })
})

test(
  'a service that stops does not wait for streams',
  async () => {
    const stopping = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
    const visitor = await ConsoleVisitor.owner(stopping)
    const response = await fetch(`http://127.0.0.1:${stopping.consolePort}/a/acme/live`, {
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: visitor.cookie },
    })
    expect(response.status).toBe(200)
    const left = response.text().catch(() => 'cut')
    await stopping.stop()
    expect(await left).toMatch(/cut|retry/)
  },
  boxStartMsMax,
)
