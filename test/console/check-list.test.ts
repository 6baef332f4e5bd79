import { expect, test } from 'bun:test'
import { unknownTarget } from '../../src/backup/target-state.ts'
import { loadConfig } from '../../src/config/load.ts'
import { inPages, operatorMessage } from '../../src/console/look/notice.ts'
import { adviceOf, attentionList, checksPart, merged } from '../../src/console/page/box/check-list.ts'
import { domainCards, verdictOn } from '../../src/console/page/domain/domains-page.ts'
import { pages } from '../../src/console/page/pages.ts'
import { nothingObserved } from '../../src/https/certificate-store.ts'
import { givenUpAdvice } from '../../src/https/keeper/name-steps.ts'
import { type CheckResult, note, ok, warning } from '../../src/operations/check-result.ts'
import { examineBackups } from '../../src/operations/doctor/backup.ts'
import { destinationResult, examineDeliveries } from '../../src/operations/doctor/deliveries.ts'
import { certificateChecks } from '../../src/operations/doctor/domain-checks.ts'
import { examineErasures } from '../../src/operations/doctor/records.ts'

const ailing = {
  handle: 'acme',
  name: 'crm',
  kind: 'webhook',
  pause: null,
  failingSince: null,
  waiting: 0,
  failed: 1,
} as const
const nameOf = () => 'Acme Studio'
const settingsPlace = { file: '/etc/capture/capture.toml', restart: 'sudo systemctl restart capture' }
const circumstances = { isUnderWay: false, now: 0, settingsPlace, alsoFound: [], nameOf }
const { mail: noMail } = loadConfig({ env: {}, cwd: '/nowhere', systemFile: '/nowhere/capture.toml' }).config
const target = { ...unknownTarget('file:///mnt/backup'), fault: { message: 'is away', since: 0 } }
const results = [
  destinationResult({ ...ailing, pause: { reason: 'hand', at: 0 } }, 'Acme Studio'),
  destinationResult({ ...ailing, failingSince: 0 }, 'Acme Studio'),
  ...examineDeliveries(
    Array.from({ length: 21 }, () => ailing),
    noMail,
    nameOf,
  ).slice(-2),
  ...examineErasures({ returnedRecords: () => [{ handle: 'acme', count: 1 }], underivedDevices: () => [] }, nameOf),
  ...examineBackups({ config: { to: [target.url] } as never, stateOf: () => target, now: 0, isServed: true }),
]

/** The paths of the pages of acme, and the parts of Health. */
const places = new Set([...pages.map(({ path }) => path.replace(':account', 'acme')), '#backups', '#names'])

test.each(results)('in the console, $found names no command, and its link leads to a page that exists', (result) => {
  const text = adviceOf(result)?.text ?? ''
  expect(text).not.toContain('capture ')
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
  expect(links.map((href) => places.has(href))).toEqual([true])
})

test('what only looks like an instant stays as another server wrote it', () => {
  const said = (at: string) => operatorMessage(`refused at ${at} UTC`, { isOwner: true }).text
  expect(said('2026-11-22 09:15:42')).toBe('refused at 22 Nov 2026, 09:15 UTC')
  expect(said('2026-99-99 09:15:42')).toBe('refused at 2026-99-99 09:15:42 UTC')
})

const host = 'go.acme.test'
const why = 'The authority refused: unauthorized.'
const reason = `${why} ${givenUpAdvice(host)}`
const unwell = { host, use: 'site', reason, observed: nothingObserved, certificate: null, nextTryAt: null } as const
const https = { mode: 'auto', addresses: ['198.51.100.4', '2001:db8::4'] }
const box = { config: { https, server: { previewHost: 'preview.localhost' } } } as never
const read = { timezone: 'UTC', isActed: true, isOwner: true }
const cardOf = (domain: Parameters<typeof domainCards>[0][number]) =>
  domainCards([domain], { ...read, isLed: true }, box)

test('a name that was given up is tried again by its button', () => {
  const [result] = certificateChecks([{ ...unwell, account: 'acme', state: 'failing' }], {
    ...{ mode: 'auto', isRunning: true, folder: '/srv', now: 0, nameOf },
  })
  expect(result?.advice).toBe(reason)
  expect(adviceOf(result ?? { advice: null })?.text).toBe(
    `<p>${why} After 30 days the box stops trying until the DNS of the name changes or you choose “Check now” under <a href="/a/acme/domains">Domains</a>.</p>`,
  )
  const card = cardOf({ ...unwell, account: 'acme', state: 'failing' })
  expect(card.text).toContain(`<p>${why} After 30 days the box stops trying`)
  expect(card.text).not.toContain('capture ')
})

test('a name that leads elsewhere says so beside the record to set', () => {
  const observed = { ...nothingObserved, a: ['203.0.113.9'], http: 'other' as const }
  const card = cardOf({ ...unwell, account: 'acme', state: 'waiting', observed })
  const states = [...card.text.matchAll(/data-label="Now"><span class="mark \w+">([^<]+)<\/span>(.*?)<\/td>/gs)]
  expect(states.map(([, word = '']) => word)).toEqual(['other value', 'missing'])
  expect(states[0]?.[2]).toContain('203.0.113.9')
  const set = { ...observed, a: ['198.51.100.4'], http: 'ours' as const }
  expect(cardOf({ ...unwell, account: 'acme', state: 'waiting', observed: set }).text).toContain('>found</span>')
})

test.each([
  ['do not reach it, where it leads elsewhere', ['203.0.113.9'], 'other', 'Visitors do not reach'],
  ['see a warning, where it leads here', ['198.51.100.4'], 'ours', 'see a warning'],
  ['meet, where nobody has looked, is not guessed', [], 'unknown', null],
  ['meet, where only one of its addresses leads here, is not guessed', ['198.51.100.4'], 'none', null],
] as const)('of a name without a certificate, what visitors %s', (_, a, http, said) => {
  const observed = { ...nothingObserved, a: [...a], http }
  const domain = { ...unwell, account: 'acme', state: 'waiting', observed } as const
  const others = [domain, { ...domain, host: 'b.acme.test' }]
  expect(verdictOn(others, box)?.text).toContain(said ?? '2 of 2 domains are not ready')
  // Of a single one, its card says all of it.
  expect(verdictOn([domain], box)).toBeNull()
  const { text } = cardOf(domain)
  expect(text.includes('<strong>')).toBe(said !== null)
  expect(text).toContain(said ?? 'waiting for its certificate')
  // Below the verdict on several, or of the box's own names, no card repeats it.
  expect(domainCards(others, { ...read, isLed: true }, box).text).not.toContain('<strong>')
  expect(domainCards([domain], read, box).text).not.toContain('<strong>')
  expect(text.indexOf('value="check"')).toBeGreaterThan(text.lastIndexOf('</table>'))
})

test.each([
  ['waiting', 'add'],
  ['failing', 'replace'],
] as const)(
  'others than owners read of a name that is %s who has to %s its certificate in the folder',
  (state, act) => {
    const inFolder = { config: { https: { ...https, mode: 'files' }, server: { previewHost: '' } } } as never
    const named = { ...unwell, account: 'acme', state, reason: 'Put it into `/srv`.' }
    const { text } = domainCards([named], { ...read, isOwner: false }, inFolder)
    expect(text).toContain(`An owner of this box has to ${act} its certificate.`)
    expect(text).not.toContain('/srv')
  },
)

test('messages of operations name Health for doctor, with a link for those who may open it', () => {
  const message = 'The content of version 3 is missing on this box; `capture doctor` says what is.'
  expect(inPages(message)).not.toContain('capture doctor')
  expect(operatorMessage(message, { isOwner: true }).text).toEndWith('<a href="/box">Health</a>')
  expect(operatorMessage(message, { isOwner: false }).text).not.toContain('<a')
})

test('messages keep a command that no page replaces', () => {
  const message = 'The content is damaged; `capture doctor --deep` says what is.'
  expect(operatorMessage(message, { isOwner: true }).text).toContain('<code>capture doctor --deep</code>')
})

test('instants in what an operation found are written as everywhere in the console', () => {
  const [, failing] = results
  expect(failing?.found).toContain('1970-01-01 00:00:00 UTC')
  expect(
    attentionList([{ ...failing, page: { name: 'deliveries', account: 'acme' } } as never], {
      ...{ isOwner: true, isExamined: true },
    }).text,
  ).toContain('1 Jan 1970, 00:00 UTC')
})

test('that nothing needs attention is said to owners with a reserve until the box was examined', () => {
  const said = (isExamined: boolean) => attentionList([], { isOwner: true, isExamined }).text
  expect(said(true)).toContain('Nothing needs attention<')
  expect(said(false)).toContain('as far as is known')
})

test('the checks that passed are counted as they are listed, and sound names are not headed as those that are not', () => {
  const passed = ['clock', 'clock', 'certificate'].map((check) => ({
    check,
    status: 'ok',
    found: 'Well.',
    advice: null,
  }))
  const shown = circumstances
  const { text } = checksPart({ at: 0, checks: passed } as never, shown)
  expect(text).toContain('2 checks passed')
  expect(text.match(/<tr>/g)).toHaveLength(2)
  expect(text).toContain('Names in order')
  expect(text).not.toContain('Certificates')
})

test('a check that passed names a file without its folders, and an address whole', () => {
  const checks = [
    ok('database', '/var/lib/capture/capture.db is intact (8 KB).'),
    ok('backup', 'Everything is at file:///mnt/backup.'),
  ]
  const text = shownWith(checks, [])
  expect(text).toContain('>capture.db is intact (8 KB).<')
  expect(text).toContain('>Everything is at file:///mnt/backup.<')
})

test('what holds within a limit is a note, and no check that passed', () => {
  const checks = [ok('clock', 'Well.'), note('kernel', 'It resets connections on a very busy box.')]
  const { text } = checksPart({ at: 0, checks } as never, circumstances)
  expect(text).toContain('1 check passed')
  expect(text).toMatch(/1 note<\/summary>.*very busy box/s)
})

test('a note says what to type where there is something to type', () => {
  const checks = [{ ...note('kernel', 'It resets connections.'), advice: 'sudo sysctl -p' }]
  const { text } = checksPart({ at: 0, checks } as never, circumstances)
  expect(text).toMatch(/It resets connections\..*<label[^>]*>To change it<\/label>.*sudo sysctl -p<\/textarea>/s)
})

test('a setting that is missing is said with its file and the command that restarts the box', () => {
  const checks = [warning('backup', 'None.', 'Name a folder.', { settings: { table: 'backup', lines: 'to = []' } })]
  const { text } = checksPart({ at: 0, checks } as never, circumstances)
  expect(text).toContain(
    'Put this under [backup] in /etc/capture/capture.toml with your own values, then run: sudo systemctl restart capture</label>',
  )
})

test('warnings of one cause stand together, what loses leads first, and what to do is said once', () => {
  const checks = [
    warning('certificate', 'One needs a certificate.', 'Order it.'),
    warning('backup', 'No backup leaves this box.', 'Name a folder.'),
    warning('certificate', 'Two needs a certificate.', 'Order it.'),
    destinationResult({ ...ailing, pause: { reason: 'hand', at: 0 } }, 'Acme Studio'),
  ]
  const { text } = checksPart({ at: 0, checks } as never, circumstances)
  const headings = [...text.matchAll(/<h2>(\w+)</g)].map(([, heading]) => heading)
  expect(headings).toEqual(['Deliveries', 'Backups', 'Certificates'])
  expect(text).toContain('<p>One needs a certificate.</p><p>Two needs a certificate.</p><p>Order it.</p></li>')
})

test('a destination that fails is as bad in the verdict as in its card, and stands above warnings', () => {
  const failing = destinationResult({ ...ailing, failingSince: 0 }, 'Acme Studio')
  const text = shownWith([warning('disk', '300 MB are free.', 'Free some.'), failing], [failing])
  expect(text).toMatch(/^<p class="verdict bad"/)
  const headings = [...text.matchAll(/<h2>([\w ]+?) ?</g)].map(([, heading]) => heading)
  expect(headings).toEqual(['Deliveries', 'Free space'])
})

test('destinations of an account that fail are one line, with since when; one that is paused has its own', () => {
  const paused = destinationResult({ ...ailing, pause: { reason: 'hand', at: 0 } }, 'Acme Studio')
  const failing = [60_000, 0].map((failingSince, at) =>
    destinationResult({ ...ailing, name: `crm${at}`, failingSince }, 'Acme Studio'),
  )
  expect(merged([...failing, paused], nameOf).map(({ found }) => found)).toEqual([
    '2 destinations of Acme Studio have failed, the first since 1970-01-01 00:00:00 UTC: crm0, crm1.',
    paused.found,
  ])
  expect(merged([...failing.slice(1), paused], nameOf)).toEqual([...failing.slice(1), paused])
})

const shownWith = (checks: readonly CheckResult[], alsoFound: readonly CheckResult[]): string =>
  checksPart({ at: 0, checks } as never, { ...circumstances, alsoFound }).text

test.each([
  ['is paused', { pause: { reason: 'hand', at: 0 } }],
  ['fails', { failingSince: 0 }],
] as const)('of a destination that %s, Health keeps how many deliveries waited', (_, state) => {
  const [examined, current] = [3, 0].map((waiting) =>
    destinationResult({ ...ailing, ...state, failed: 0, waiting }, 'Acme Studio'),
  )
  const text = shownWith([examined] as CheckResult[], [current] as CheckResult[])
  expect(text.match(/The destination/g)).toHaveLength(1)
  expect(text).toContain('3 deliveries wait.')
})

test('what the page finds replaces what the last check said of the same thing, and of nothing else', () => {
  const fails = warning('backup', 'Backups fail: a is away.', 'Look.', { about: 'a' })
  const full = warning('disk', '300 MB are free.', 'Free some.')
  const checks = [
    ...['a', 'b'].map((about) => ({ ...ok('backup', `Everything is at ${about}.`), about })),
    ok('disk', '9,000 MB are free.'),
    destinationResult({ ...ailing, failingSince: 0 }, 'Acme Studio'),
  ]
  const text = shownWith(checks, [fails, full])
  for (const said of [fails.found, full.found, 'Everything is at b.']) expect(text).toContain(said)
  for (const earlier of ['Everything is at a.', '9,000 MB', 'The destination']) expect(text).not.toContain(earlier)
})
