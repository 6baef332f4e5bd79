// docs/files.md: files that visitors send with a form.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, preflightOf, submissionIdOf } from '../harness/capture-requests.ts'
import { filesHolding } from '../harness/files-holding.ts'
import { chunked, corsHeaderNames, jsonOf, refusalOf } from '../harness/http.ts'
import { solvedBotCheck } from '../harness/solved-bot-check.ts'
import { docx, pdf, tokenOf, uploadRequest } from '../harness/visitor-files.ts'

const cv = { types: ['pdf', 'docx'], max: '100KB' }
const forms = [
  aForm({ files: { cv, photos: { types: ['pdf'], max: '1KB', count: 2 } } }),
  aForm({ id: 'second01', files: { cv } }),
  aForm({ id: 'checked1', bot_check: 'on', files: { cv, photos: { types: ['pdf'], max: '1KB', count: 2 } } }),
  aForm({ id: 'without1' }),
]
const altcha = { provider: 'altcha', sitekey: '', secret: '', difficulty: 'low' }

let box: Box

beforeAll(async () => {
  const other = aSite({ account: 'other', forms })
  box = await Box.start([aSite({ forms, bot_check: altcha }), other], { limits: { upload_mb_per_account: 1 } })
}, boxStartMsMax)

afterAll(() => box.stop())

const upload = (...asked: Parameters<typeof uploadRequest>) => box.send(uploadRequest(...asked))
const submit = (fields: Record<string, unknown>, form = 'contact1') =>
  box.send(formRequest({ form, fields: { email: 'ada@example.test', ...fields } }))
const recordOf = async (id: string) => (await box.submissions()).find(({ submissionId }) => submissionId === id)

/** Every file below the data folder that holds the bytes. */
const holding = (bytes: Uint8Array, dir = join(box.dir, 'data')) => filesHolding(dir, bytes)

describe('an accepted file', () => {
  test('is answered with its token, its type by the bytes, and a harmless name', async () => {
    const answer = await upload(docx(), { name: '../Mein Lebenslauf.pdf' })
    expect(jsonOf(answer)).toEqual({
      status: 'accepted',
      file: expect.stringMatching(/^svc_up_[A-Za-z0-9]{32}$/),
      name: 'Mein Lebenslauf.pdf.docx',
      type: 'docx',
      bytes: docx().length,
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://www.acme.test')
  })

  test('comes with the submission that names its token: its name stands in the field, and the bytes can be read', async () => {
    const file = tokenOf(await upload(pdf('with the submission')))
    const id = submissionIdOf(await submit({ cv: file }))
    const record = await recordOf(id)
    expect(record?.fields).toEqual({ email: 'ada@example.test', cv: 'cv.pdf' })
    const bytes = pdf('with the submission').length
    expect(record?.files).toEqual([{ id: expect.any(String), field: 'cv', name: 'cv.pdf', type: 'pdf', bytes }])
    const { stdout, status } = await box.run(['submission', 'file', 'acme', id, 'cv.pdf', '--out', '-'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: Buffer.from(pdf('with the submission')).toString() })
  })

  test('may be one of several in a field', async () => {
    const files = [
      tokenOf(await upload(pdf('1'), { field: 'photos' })),
      tokenOf(await upload(pdf('2'), { field: 'photos' })),
    ]
    const record = await recordOf(submissionIdOf(await submit({ photos: files })))
    expect(record?.fields.photos).toEqual(['cv.pdf', 'cv.pdf'])
    expect(record?.files.map(({ field }) => field)).toEqual(['photos', 'photos'])
  })

  test('is stored once for all submissions of the account that have it, and apart from other accounts', async () => {
    const same = pdf('the same twice')
    for (const account of ['acme', 'acme', 'other']) {
      const file = tokenOf(await upload(same, { account }))
      submissionIdOf(await box.send(formRequest({ account, fields: { cv: file } })))
    }
    expect(holding(same)).toHaveLength(2)
  })

  test('that arrives in pieces without a declared length is taken', async () => {
    tokenOf(await upload(chunked(pdf('piece by piece'), 3)))
  })
})

test('a file is what its bytes are, under a harmless name, whatever it is called', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom(
      '../../etc/passwd',
      'cv.exe',
      'x.html',
      'CON',
      '"; filename=x.html',
      '%00.pdf',
      'a\r\nSet-Cookie: a=b',
    ),
  )
  await fc.assert(
    fc.asyncProperty(hostile, fc.boolean(), async (name, isPdf) => {
      const answer = await upload(isPdf ? pdf(name.length.toString()) : docx(), { name })
      const { type, name: shown } = jsonOf(answer)
      expect(type).toBe(isPdf ? 'pdf' : 'docx')
      expect(shown).toMatch(/^[^/\\"\p{Cc}]+\.(?:pdf|docx)$/u)
      const page = await upload(new TextEncoder().encode('<html>'), { name })
      expect(refusalOf(page)).toEqual({ status: 415, code: 'file_type' })
    }),
    { numRuns: 25 },
  )
})

describe('a token', () => {
  const tooLate = { status: 400, code: 'validation' }

  test('has one claim', async () => {
    const file = tokenOf(await upload())
    expect((await submit({ cv: file })).status).toBe(200)
    expect(refusalOf(await submit({ cv: file }))).toEqual(tooLate)
  })

  test('has one claim even when two submissions name it at once', async () => {
    const file = tokenOf(await upload())
    const answers = await Promise.all([1, 2, 3, 4].map(() => submit({ cv: file })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })

  test('is good for its own form, field and account alone', async () => {
    const file = tokenOf(await upload())
    expect(refusalOf(await submit({ cv: file }, 'second01'))).toEqual(tooLate)
    expect(refusalOf(await submit({ photos: file }))).toEqual(tooLate)
    expect(refusalOf(await box.send(formRequest({ account: 'other', fields: { cv: file } })))).toEqual(tooLate)
    expect((await submit({ cv: file })).status).toBe(200)
  })

  test('that nobody knows is refused, and so is anything else in such a field', async () => {
    for (const value of [`svc_up_${'a'.repeat(32)}`, 'cv.pdf', 7, { a: 1 }, ['../../x']])
      expect(refusalOf(await submit({ cv: value }))).toEqual(tooLate)
  })

  test('may be left out: an empty field has no file', async () => {
    for (const value of ['', null, []]) expect((await submit({ cv: value })).status).toBe(200)
  })

  test('beyond those that the field takes is refused', async () => {
    const files = [tokenOf(await upload()), tokenOf(await upload())]
    expect(refusalOf(await submit({ cv: files }))).toEqual(tooLate)
  })
})

describe('a file is refused', () => {
  test.each<[string, number, string, Parameters<typeof uploadRequest>]>([
    ['that is not what its name says', 415, 'file_type', [new TextEncoder().encode('<html>'), { name: 'cv.pdf' }]],
    ['that is larger than the field takes', 413, 'file_too_large', [pdf('x'.repeat(2000)), { field: 'photos' }]],
    ['that turns out to be larger', 413, 'file_too_large', [chunked(pdf('x'.repeat(2000)), 100), { field: 'photos' }]],
    ['for a field that takes none', 400, 'validation', [pdf(), { field: 'email' }]],
    ['for a form that takes none', 400, 'validation', [pdf(), { form: 'without1' }]],
    ['for a form that is not there', 404, 'unknown_source', [pdf(), { form: 'nobodys1' }]],
    ['from a page of another origin', 403, 'unknown_source', [pdf(), { headers: { origin: 'https://evil.test' } }]],
    ['without the bot check that the form requires', 403, 'bot', [pdf(), { form: 'checked1' }]],
    ['with a bot check that does not verify', 403, 'bot', [pdf(), { form: 'checked1', check: 'bm9uZQ==' }]],
  ])('%s', async (_, status, code, asked) => {
    expect(refusalOf(await upload(...asked))).toEqual({ status, code })
    expect(readdirSync(join(box.dir, 'data/waiting-files')).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('and a page of a refused origin learns nothing of it', async () => {
    expect(corsHeaderNames(await upload(pdf(), { headers: { origin: 'https://evil.test' } }))).toEqual([])
  })

  test('beyond the room that the account has for files', async () => {
    const large = pdf('x'.repeat(95_000))
    const answers = []
    for (let n = 0; n < 12; n++)
      answers.push(await upload(Buffer.concat([large, Buffer.from(`${n}`)]), { account: 'other' }))
    expect(answers[0]?.status).toBe(200)
    expect(refusalOf(answers.at(-1) as never)).toEqual({ status: 503, code: 'unavailable' })
  })
})

test('a preflight lets the page of an allowed origin send a file with its name', async () => {
  const answer = await box.send(preflightOf(uploadRequest(), 'https://www.acme.test'))
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-headers')).toBe('Content-Type, X-SVC-File-Name, X-SVC-Bot-Check')
})

describe('a form that requires a bot check', () => {
  const solved = () => solvedBotCheck(`http://127.0.0.1:${box.port}`, { host: 'go.acme.test' })

  test('takes several files and the submission with one that was solved once', async () => {
    const first = tokenOf(await upload(pdf('a'), { form: 'checked1', check: await solved() }))
    const second = tokenOf(await upload(pdf('b'), { form: 'checked1', field: 'photos', check: first }))
    const record = await recordOf(submissionIdOf(await submit({ cv: first, photos: [second] }, 'checked1')))
    expect(record).toMatchObject({ status: 'accepted', botCheck: { required: true, verified: true } })
  })

  test('takes no second submission for it', async () => {
    const check = await solved()
    const first = tokenOf(await upload(pdf('a'), { form: 'checked1', check }))
    const second = tokenOf(await upload(pdf('b'), { form: 'checked1', check: first }))
    expect((await submit({ cv: first }, 'checked1')).status).toBe(200)
    expect((await submit({ cv: second }, 'checked1')).status).toBe(403)
    expect(refusalOf(await upload(pdf('c'), { form: 'checked1', check: second }))).toEqual({ status: 403, code: 'bot' })
    expect(refusalOf(await upload(pdf('d'), { form: 'checked1', check }))).toEqual({ status: 403, code: 'bot' })
  })
})

test('an erased person’s files are gone from the disk, but for one that another person sent too', async () => {
  const own = pdf('of Grace alone')
  const shared = pdf('of Grace and of Alan')
  const sendAs = async (email: string, bytes: Uint8Array<ArrayBuffer>) =>
    submissionIdOf(await box.send(formRequest({ fields: { email, cv: tokenOf(await upload(bytes)) } })))
  await sendAs('grace@example.test', own)
  await sendAs('grace@example.test', shared)
  const kept = await sendAs('alan@example.test', shared)
  expect([holding(own).length, holding(shared).length]).toEqual([1, 1])
  const { status, stderr } = await box.run(['person', 'erase', 'acme', 'grace@example.test', '--yes'])
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect([holding(own), holding(shared).length]).toEqual([[], 1])
  expect((await box.run(['submission', 'file', 'acme', kept, 'cv.pdf', '--out', '-'])).stdout).toBe(
    Buffer.from(shared).toString(),
  )
})

test('the runtime configuration tells pages what a form takes, and says nothing where it takes nothing', async () => {
  const answer = await box.send({
    method: 'GET',
    host: 'go.acme.test',
    path: '/_svc/rc?f=second01,without1',
    headers: {},
    body: null,
  })
  const { forms } = jsonOf(answer) as { forms: Record<string, object> }
  const cv = { types: ['pdf', 'docx'], accept: '.pdf,.docx', bytesMax: 102_400, count: 1 }
  expect(forms.second01).toMatchObject({ files: { cv } })
  expect(forms.without1).not.toHaveProperty('files')
})
