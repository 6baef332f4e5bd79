import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { monotonicUsec, NotifySocket } from './harness/notify-socket.ts'

// SIGHUP reads capture.toml again (docs/systemd.md).

/** Changes the file by text: a line of it, or a table that it ends with. */
function rewrite(box: BinaryBox, from: RegExp | null, to: string): void {
  const text = readFileSync(box.configFile, 'utf8')
  writeFileSync(box.configFile, from === null ? `${text}\n${to}\n` : text.replace(from, to))
}

test('a lower budget holds from then on, and the manager is told when it begins and when it is over', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using manager = new NotifySocket()
  await using server = await box.serve({ NOTIFY_SOCKET: manager.name })
  const started = await manager.hears(/READY=1/)
  expect((await server.send(formRequest())).status).toBe(200)
  rewrite(box, /form_per_ip = \d+/, 'form_per_ip = 1')
  const begunAt = monotonicUsec()
  server.signal('SIGHUP')
  const reloading = await manager.hears(/^RELOADING=1\nMONOTONIC_USEC=\d+$/, started + 1)
  await manager.hears(/^READY=1$/, reloading)
  await server.says('stderr', /read again.*"changed":"limits\.form_per_ip"/)
  const answers = [await server.send(formRequest()), await server.send(formRequest())]
  expect(answers.at(-1)?.status).toBe(429)
  const [, said] = /USEC=(\d+)/.exec(manager.messages[reloading] ?? '') ?? []
  expect(Number(said)).toBeWithin(begunAt, monotonicUsec() + 1)
})

test('a proxy that becomes trusted is believed from then on, and the log is written as it says', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using server = await box.serve()
  rewrite(box, /listen = .*/, `$&\ntrusted_proxies = ["127.0.0.1/32"]`)
  server.signal('SIGHUP')
  await server.says('stderr', /"changed":"server\.trusted_proxies"/)
  const forwarded = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }
  expect((await server.send(formRequest({ headers: forwarded }))).status).toBe(200)
  expect((await box.submissions())[0]?.source.ip).toBe('198.51.100.7')
  rewrite(box, null, '[log]\nformat = "pretty"')
  server.signal('SIGHUP')
  await server.says('stderr', /info {2}The configuration was read again\. changed="log\.format"/)
})

test('what needs a restart is named, and stays as it was', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using server = await box.serve()
  rewrite(box, /listen = .*/, 'listen = "127.0.0.1:1"\npreview_host = "previews.acme.test"')
  server.signal('SIGHUP')
  await server.says('stderr', /need a restart.*"keys":"server\.listen, server\.preview_host"/)
  expect((await server.send(formRequest())).status).toBe(200)
})

test('a faulty file is named with its key, the old values stay, and the service is ready again', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using manager = new NotifySocket()
  await using server = await box.serve({ NOTIFY_SOCKET: manager.name })
  await manager.hears(/READY=1/)
  const good = readFileSync(box.configFile, 'utf8')
  rewrite(box, /form_per_ip = \d+/, 'form_per_ip = 1\nform_per_pi = 2')
  server.signal('SIGHUP')
  await server.says('stderr', /"level":"error".*not taken over.*limits\.form_per_pi: no such setting/)
  await manager.hears(/^READY=1$/, await manager.hears(/^RELOADING=1/))
  for (const _ of [1, 2, 3]) expect((await server.send(formRequest())).status).toBe(200)
  writeFileSync(box.configFile, good)
  server.signal('SIGHUP')
  await server.says('stderr', /read again.*"changed":"nothing"/)
})
