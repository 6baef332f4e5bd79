import { expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { encodedMail } from '../../../src/delivery/mail/mail.ts'
import { visitorMail } from '../../../src/delivery/reply/reply-carrier.ts'
import { aLead } from '../a-lead.ts'
import { hostileValues } from '../hostile-values.ts'

const sender = { name: null, address: 'leads@agency.example' }
const reply = { subject: 'We got your message', text: 'Thank you!\n\nWe answer within a day,\nAcme <3' }
const optOutUrl = 'https://go.acme.example/_svc/u/1.aaaaaaaaaaaaaaaaaaaaaa.bbb.key1'
const mailTo = (changes: Parameters<typeof aLead>[0] = {}) =>
  visitorMail({ lead: aLead(changes), text: reply, sender, optOutUrl, confirmUrl: null })

test('a reply is the operator’s text, from the account to the visitor', async () => {
  const mail = await PostalMime.parse(await encodedMail(mailTo()))
  expect(mail.from).toMatchObject({ name: 'Acme Studio', address: 'leads@agency.example' })
  expect(mail.to?.map(({ address }) => address)).toEqual(['ada@visitor.example'])
  expect(mail.replyTo?.map(({ address }) => address)).toEqual(['hello@acme.example'])
  expect(mail.subject).toBe('We got your message')
  expect(mail.text?.trimEnd()).toBe(
    `Thank you!\n\nWe answer within a day,\nAcme <3\n\n-- \nAcme Studio, go.acme.example\nUnsubscribe: ${optOutUrl}`,
  )
  expect(mail.html).toContain('We answer within a day,<br>Acme &lt;3')
  expect(mail.html).toContain(`href="${optOutUrl}"`)
})

test('a reply says that a program sent it, and how to have no more (RFC 3834, RFC 8058)', async () => {
  const mail = await PostalMime.parse(await encodedMail(mailTo()))
  const headers = mail.headers.map(({ key, value }) => `${key}: ${value}`)
  expect(headers).toContain('auto-submitted: auto-replied')
  expect(headers).toContain(`list-unsubscribe: <${optOutUrl}>`)
  expect(headers).toContain('list-unsubscribe-post: List-Unsubscribe=One-Click')
})

test('nothing of the submission is in a reply', async () => {
  const expected = (await encodedMail(mailTo({ fields: [] }))).toString('latin1')
  const withoutChance = (wire: string) => wire.replace(/--_NmP[^"\r\n]*/g, '').replace(/^Date: .*$/m, '')
  for (const value of hostileValues) {
    const fields = [{ name: value, value }]
    const wire = (await encodedMail(mailTo({ fields, formName: value }))).toString('latin1')
    expect(withoutChance(wire)).toBe(withoutChance(expected))
  }
})

test('a reply to anything but one address is not made', () => {
  for (const replyTo of [null, ...hostileValues]) expect(() => mailTo({ replyTo })).toThrow(TypeError)
})
