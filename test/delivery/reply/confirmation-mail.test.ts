// docs/confirmed-leads.md: the mail that asks a visitor to confirm.
import { describe, expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { encodedMail } from '../../../src/delivery/mail/mail.ts'
import { visitorMail } from '../../../src/delivery/reply/reply-carrier.ts'
import { aLead } from '../a-lead.ts'
import { hostileValues } from '../hostile-values.ts'

const sender = { name: 'Agency', address: 'leads@agency.example' }
const text = { subject: 'Please confirm', text: 'Thank you for your interest.' }
const optOutUrl = 'https://go.acme.example/_svc/u/1.aaaaaaaaaaaaaaaaaaaaaa.bbb.key1'
const confirmUrl = 'https://go.acme.example/_svc/confirm/1.019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90.1.bbb.key1'
const mailTo = (changes: Parameters<typeof aLead>[0] = {}) =>
  visitorMail({ lead: aLead(changes), text, sender, optOutUrl, confirmUrl })
const parsedMail = async (changes: Parameters<typeof aLead>[0] = {}) =>
  PostalMime.parse(await encodedMail(mailTo(changes)))

describe('a request to confirm', () => {
  test('has the operator’s text, the link as text and as a button, and for how long it works', async () => {
    const mail = await parsedMail()
    expect(mail.subject).toBe('Please confirm')
    expect(mail.text?.split('\n')).toContain(confirmUrl)
    expect(mail.text).toStartWith('Thank you for your interest.\n')
    expect(mail.text).toContain('The link works for 7 days.')
    expect(mail.html).toContain(`<a class="ink" href="${confirmUrl}"`)
    expect(mail.messageId).toBe(`<${aLead().submissionId}.confirm@agency.example>`)
  })

  test('speaks the account’s language', async () => {
    const mail = await parsedMail({ language: 'de' })
    expect(mail.text).toContain('Der Link ist 7 Tage lang gültig.')
    expect(mail.html).toContain('>Bestätigen</a>')
  })

  test('has nothing of the submission', async () => {
    const withoutChance = (wire: string) => wire.replace(/--_NmP[^"\r\n]*/g, '').replace(/^Date: .*$/m, '')
    const wireOf = async (changes: Parameters<typeof aLead>[0]) =>
      withoutChance((await encodedMail(mailTo(changes))).toString('latin1'))
    const expected = await wireOf({ fields: [] })
    for (const value of hostileValues)
      expect(await wireOf({ fields: [{ name: value, value }], formName: value })).toBe(expected)
  })
})
