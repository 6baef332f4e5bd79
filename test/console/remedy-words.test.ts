import { expect, test } from 'bun:test'
import { inPages, operatorMessage } from '../../src/console/look/operator-message.ts'
import { remedyWords } from '../../src/console/page/box/remedy-words.ts'
import { domainCard } from '../../src/console/page/domain/domain-card.ts'
import { pages } from '../../src/console/page/pages.ts'
import { givenUpAdvice } from '../../src/https/keeper/name-steps.ts'
import { nothingObserved } from '../../src/https/kept-name.ts'
import { certificateChecks } from '../../src/operations/doctor/certificate-checks.ts'
import type { Remedy } from '../../src/operations/doctor/remedy.ts'

const on = { account: 'acme' }
const remedies: { [Act in Remedy['act']]: Extract<Remedy, { act: Act }> } = {
  resume_destination: { act: 'resume_destination', ...on, destination: 'crm' },
  test_destination: { act: 'test_destination', ...on, destination: 'crm' },
  retry_deliveries: { act: 'retry_deliveries', ...on, destination: 'crm' },
  see_destinations: { act: 'see_destinations' },
  check_name: { act: 'check_name', ...on, host: 'go.acme.test' },
  try_name_again: { act: 'try_name_again', ...on, host: 'go.acme.test', why: 'It was refused.' },
  see_names: { act: 'see_names' },
  back_up: { act: 'back_up' },
  test_mail: { act: 'test_mail', ...on },
  publish_again: { act: 'publish_again' },
  erase_again: { act: 'erase_again', ...on },
  release_again: { act: 'release_again' },
}

/** The paths of the pages of acme, and the parts of Health. */
const places = new Set([...pages.map(({ path }) => path.replace(':account', 'acme')), '#backups', '#names'])

test.each(Object.values(remedies))('$act names no command, and links lead to pages that exist', (remedy) => {
  const { text } = remedyWords(remedy)
  expect(text).not.toContain('capture ')
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
  expect(links.filter((href) => !places.has(href))).toEqual([])
})

const host = 'go.acme.test'
const why = 'The authority refused: unauthorized.'
const reason = `${why} ${givenUpAdvice(host)}`
const unwell = { host, use: 'site', reason, observed: nothingObserved, certificate: null, nextTryAt: null } as const

test('a name that was given up is tried again by its button', () => {
  const [result] = certificateChecks([{ ...unwell, account: 'acme', state: 'failing' }], {
    ...{ mode: 'auto', isRunning: true, folder: '/srv', now: 0 },
  })
  expect(result?.advice).toBe(reason)
  expect(result?.remedy).toEqual({ act: 'try_name_again', account: 'acme', host, why })
  const card = domainCard(
    { ...unwell, account: 'acme', state: 'failing' },
    { records: null, timezone: 'UTC', isActed: true },
  )
  expect(card.text).toContain(`<p>${why} After 30 days the box stops trying`)
  expect(card.text).not.toContain('capture ')
})

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
