// docs/script.md, "Forms", in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { settled } from './harness/settled.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'
const thirdParty = 'https://shop.other.test/contact'

describe.skipIf(!hasChromium)('a form', () => {
  let world: World

  beforeAll(async () => {
    const schema = {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' }, message: { type: 'string' } },
    }
    const forms = [
      aForm({ schema }),
      aForm({ id: 'newslttr', name: 'Newsletter' }),
      aForm({ id: 'onwards1', name: 'Onwards', redirect_url: 'https://www.acme.test/thanks' }),
    ]
    const origins = ['https://www.acme.test', 'https://shop.other.test']
    world = await World.start([aSite({ forms, origins })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const sent = () => world.front.seen('POST', '/_svc/f/')
  const fieldsSent = () => sent().map(({ body }) => JSON.parse(body))

  async function openWith(body: string, url = contact, head = ''): Promise<Page> {
    world.front.put(url, pageWith({ head, body }))
    const page = await (await world.regular()).visit(url)
    await page.locator('[name=_hp]').first().waitFor({ state: 'attached' })
    return page
  }

  test.each([contact, thirdParty])('on %s arrives with what was typed, honeypot and all', async (url) => {
    const page = await openWith(formMarkup(), url)
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('Message').fill('Hello')
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    const stored = (await world.box.submissions()).at(-1)
    expect(stored?.fields).toEqual({ email: 'ada@example.test', message: 'Hello', _hp: '' })
    expect(stored?.source.origin).toBe(new URL(url).origin)
  })

  test.each(['click', 'Enter'])('that is sent twice in a row (%s) is sent once', async (how) => {
    const page = await openWith(formMarkup())
    await page.getByLabel('Email').fill('ada@example.test')
    if (how === 'click') await page.getByRole('button', { name: 'Send' }).dblclick()
    else {
      await page.getByLabel('Email').press('Enter')
      await page.getByLabel('Email').press('Enter')
    }
    await thanks(page)
    expect(sent()).toHaveLength(1)
  })

  test('whose second click comes after the answer to the first is not sent again, emptied', async () => {
    const page = await openWith(formMarkup({ id: 'newslttr' }))
    await page.evaluate(() => {
      addEventListener('svc:accepted', () => setTimeout(() => document.querySelector('button')?.click()))
    })
    await fillAndSend(page)
    await thanks(page)
    await settled(page)
    expect(fieldsSent().map(({ email }) => email)).toEqual(['ada@example.test'])
  })

  test('can be sent again by whoever has something to add', async () => {
    const page = await openWith(formMarkup())
    await fillAndSend(page)
    await thanks(page)
    await eventually('it is sent again', async () => {
      await fillAndSend(page)
      return fieldsSent().length > 1
    })
  })

  test('is sent once by a page that has the script twice', async () => {
    const again = '<script src="https://go.acme.test/_svc/v1.js" defer></script>'
    const page = await openWith(formMarkup(), contact, again)
    await fillAndSend(page)
    await thanks(page)
    expect(sent()).toHaveLength(1)
    expect(await page.locator('[name=_hp]').count()).toBe(1)
  })

  test('is checked by the browser for what its schema requires, and not sent', async () => {
    const page = await openWith(formMarkup())
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByLabel('Email').evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true)
    await page.getByLabel('Email').fill('no address')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByLabel('Email').evaluate((field: HTMLInputElement) => field.validity.customError)).toBe(true)
    expect(sent()).toEqual([])
  })

  test.each([
    ['inside', ''],
    ['outside of', '<button form="f">Outside</button>'],
  ])('whose value the page has corrected without an event is sent by one click %s the form', async (_, outside) => {
    const page = await openWith(formMarkup({ attributes: 'id="f"' }) + outside)
    await page.getByLabel('Email').fill('ada at example.test')
    await page.evaluate(() => {
      const email = document.querySelector<HTMLInputElement>('[name=email]')
      if (email) email.value = 'ada@example.test'
    })
    await page.getByRole('button').last().click()
    await thanks(page)
    expect(fieldsSent()).toMatchObject([{ email: 'ada@example.test' }])
  })

  test('whose value the page corrects as its button is clicked is sent by that click', async () => {
    const page = await openWith(formMarkup())
    await page.getByLabel('Email').fill('ada at example.test')
    await page.evaluate(() => {
      const email = document.querySelector<HTMLInputElement>('[name=email]')
      document.querySelector('button')?.addEventListener('click', () => {
        if (email) email.value = 'ada@example.test'
      })
    })
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(fieldsSent()).toMatchObject([{ email: 'ada@example.test' }])
  })

  test('is not held back by a required field that the visitor cannot see, and is by one that they see', async () => {
    const page = await openWith(
      `<form data-svc-form="contact1"><label>Plan <select><option>free</option><option>pro</option></select></label>
        <div id="pro" style="display: none"><label>Email <input name="email"></label></div><button>Send</button></form>
      <script>document.querySelector('select').onchange = (event) => {
        document.querySelector('#pro').style.display = event.target.value === 'pro' ? '' : 'none'
      }</script>`,
    )
    const isRequired = () => page.locator('[name=email]').evaluate((field) => (field as HTMLInputElement).required)
    await page.getByLabel('Plan').selectOption('pro')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
    expect(await isRequired()).toBe(true)
    await page.getByLabel('Plan').selectOption('free')
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(fieldsSent()).toEqual([{ email: '', _hp: '' }])
  })

  test('with a button called reset is still emptied', async () => {
    const page = await openWith(formMarkup({ fields: '<button type="reset" name="reset">Clear</button>' }))
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(await page.getByLabel('Email').inputValue()).toBe('')
  })

  test.each(['jürgen@example.de', 'ada@büro.example', '  ada@example.test ', '用户@例子.example'])(
    'takes the address %s, which the box takes, and leaves the field its type',
    async (address) => {
      const page = await openWith(formMarkup())
      await page.getByLabel('Email').fill(address)
      await page.getByRole('button', { name: 'Send' }).click()
      await thanks(page)
      expect((await world.box.submissions()).at(-1)?.identity.email).not.toBeNull()
      expect(await page.locator('input[type=email], [name=email]:not([type])').count()).toBe(1)
      expect(await page.locator('input[type=email]').count()).toBe(0)
    },
  )

  test.each([
    'ada',
    'ada@',
    'ada@localhost',
    '@example.test',
    'a b@example.test',
    'ada@-x.example',
    'ada@exa mple.test',
  ])('does not send %s as an address, and says what is wrong', async (text) => {
    const page = await openWith(formMarkup())
    const email = page.getByLabel('Email')
    await email.fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await settled(page)
    expect(await email.evaluate((field: HTMLInputElement) => field.validationMessage)).not.toBe('')
    expect(sent()).toEqual([])
    await fillAndSend(page)
    await thanks(page)
  })

  test('takes an address that the page corrected without an event, by the second try where nothing was clicked', async () => {
    const page = await openWith(formMarkup())
    await page.getByLabel('Email').fill('ada')
    await page
      .getByLabel('Email')
      .evaluate((field: HTMLInputElement) => Object.assign(field, { value: 'ada@example.test' }))
    await eventually('it is sent', async () => {
      await page.evaluate(() => document.querySelector('form')?.requestSubmit())
      await settled(page)
      return sent().length === 1
    })
  })

  test('leaves the page its own complaint about a field', async () => {
    const page = await openWith(formMarkup())
    await page.getByLabel('Email').evaluate((field: HTMLInputElement) => field.setCustomValidity('Not from here'))
    await fillAndSend(page)
    await settled(page)
    expect(sent()).toEqual([])
    expect(await page.getByLabel('Email').evaluate((field: HTMLInputElement) => field.validationMessage)).toBe(
      'Not from here',
    )
  })

  test('with a button that says formnovalidate is sent as it is', async () => {
    const page = await openWith(formMarkup({ fields: '<button formnovalidate>Save a draft</button>' }))
    await page.getByRole('button', { name: 'Save a draft' }).click()
    await thanks(page)
    expect(fieldsSent()[0].email).toBe('')
  })

  test('that comes into the page later gets all of it', async () => {
    const page = await openWith(formMarkup({ id: 'newslttr' }))
    await page.evaluate((markup) => {
      document.body.innerHTML = markup
    }, formMarkup())
    await page.waitForFunction(() => document.forms[0]?.elements.namedItem('_hp'))
    await fillAndSend(page)
    await thanks(page)
    expect(sent().map(({ path }) => path)).toEqual(['/_svc/f/contact1'])
  })

  test('that a framework replaces while it is under way is still sent once, and answered where the visitor looks', async () => {
    const page = await openWith(formMarkup())
    await page.getByLabel('Email').fill('ada@example.test')
    await page.evaluate((markup) => {
      const replaced = document.querySelector('form')
      replaced?.addEventListener('submit', () => {
        setTimeout(() => {
          replaced.outerHTML = markup
          const email = document.querySelector<HTMLInputElement>('[name=email]')
          if (email) email.value = 'ada@example.test'
          document.querySelector('button')?.click()
        })
      })
    }, formMarkup())
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(sent()).toHaveLength(1)
  })

  test('that a page empties right after is sent with what stood there', async () => {
    const page = await openWith(formMarkup())
    await page.evaluate(() => {
      const form = document.querySelector('form')
      form?.addEventListener('submit', () => setTimeout(() => form.reset()))
    })
    await fillAndSend(page)
    await thanks(page)
    expect(fieldsSent()[0].email).toBe('ada@example.test')
  })

  test('sends repeated names as a list', async () => {
    const fields = `
      <input type="checkbox" name="topic" value="a" checked><input type="checkbox" name="topic" value="b" checked>
      <input type="hidden" name="__proto__" value="x">`
    const page = await openWith(formMarkup({ fields }))
    await fillAndSend(page)
    await thanks(page)
    expect(fieldsSent()[0].topic).toEqual(['a', 'b'])
    expect(sent()[0]?.body).toContain('"__proto__":"x"')
  })

  test('tells the page how it went', async () => {
    const page = await openWith(formMarkup())
    await page.evaluate(() => {
      addEventListener('svc:accepted', (event) => Object.assign(window, { heard: (event as CustomEvent).detail }))
    })
    await fillAndSend(page)
    await thanks(page)
    const [stored] = (await world.box.submissions()).slice(-1)
    expect(await page.evaluate(() => (window as unknown as { heard: unknown }).heard)).toEqual({
      status: 'accepted',
      submissionId: String(stored?.submissionId),
    })
  })

  test('goes to its redirect address', async () => {
    world.front.put('https://www.acme.test/thanks', pageWith({ scriptFrom: null, body: 'Thanks!' }))
    const page = await openWith(formMarkup({ id: 'onwards1' }))
    await fillAndSend(page)
    await page.waitForURL('https://www.acme.test/thanks')
  })

  test('shows the page’s own thank-you and moves to it', async () => {
    const page = await openWith(
      `${formMarkup({ attributes: 'data-svc-success="#done"' })}<p id="done" hidden>Done!</p>`,
    )
    await fillAndSend(page)
    await page.getByText('Done!').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('done')
  })

  test('that is refused keeps what was typed, says it in the page’s words and when to try again', async () => {
    const page = await openWith(formMarkup({ attributes: 'data-svc-message-rate_limited="Slowly, please"' }))
    world.front.disturbance = ({ method }) => (method === 'POST' ? refusal(429, 'rate_limited', '9') : null)
    await page.evaluate(() => {
      addEventListener('svc:refused', (event) => Object.assign(window, { heard: (event as CustomEvent).detail }))
    })
    await fillAndSend(page)
    await page.getByRole('alert').getByText('Slowly, please (9 s)').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
    expect(await page.evaluate(() => (window as unknown as { heard: unknown }).heard)).toEqual({
      code: 'rate_limited',
      message: 'As a test wants it.',
      status: 429,
    })
    world.front.disturbance = () => null
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
  })

  test('whose connection fails says so, keeps what was typed, and can be sent again', async () => {
    const page = await openWith(formMarkup())
    await page.context().setOffline(true)
    await fillAndSend(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('on a page of an origin that is not allowed says on the console what to add', async () => {
    const stranger = 'https://stranger.test/contact'
    world.front.put(stranger, pageWith({ body: formMarkup() }))
    const visitor = await world.visitor()
    const page = await visitor.open(stranger)
    await fillAndSend(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    expect(visitor.notices.join()).toContain('add "https://stranger.test" to origins in site.toml')
    expect(visitor.errors).toEqual([])
  })

  test('in a sandbox, whose origin nobody can allow, says so on the console', async () => {
    const framed = pageWith({ body: formMarkup() }).replaceAll('"', '&quot;')
    world.front.put(contact, `<iframe sandbox="allow-scripts allow-forms" srcdoc="${framed}"></iframe>`)
    const visitor = await world.visitor()
    await visitor.open(contact)
    await eventually('the notice', async () =>
      visitor.notices.includes('warning: [svc] Refused: a file or sandbox has no origin'),
    )
  })

  test('whose data-svc-form is empty tells the visitor, and is not posted to the page', async () => {
    world.front.put(contact, pageWith({ body: formMarkup({ id: '' }) }))
    const page = await (await world.regular()).visit(contact)
    await fillAndSend(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    expect(world.front.seen('POST', '/contact')).toEqual([])
  })

  test('works on a page that clicks the document, and the console says nothing', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    const visitor = await world.visitor()
    const page = await visitor.open(contact)
    await page.evaluate(() => document.dispatchEvent(new Event('click')))
    await fillAndSend(page)
    await thanks(page)
    expect(visitor.notices).toEqual([])
  })

  test('that the page sends itself is left to the page', async () => {
    const page = await openWith(formMarkup())
    await page.evaluate(() =>
      document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault()),
    )
    await fillAndSend(page)
    await settled(page)
    expect(sent()).toEqual([])
    await page.evaluate(() => svc('submit', document.querySelector('form')))
    await thanks(page)
  })

  test('works on a page whose own script throws', async () => {
    const page = await openWith(formMarkup(), contact, '<script>throw new Error("theirs")</script>')
    await fillAndSend(page)
    await thanks(page)
  })

  test.each(['5', '{"forms":{"contact1":{"schema":{"required":7,"properties":"x"}}}}', 'no json', '{"forms":null}'])(
    'is sent even when the runtime configuration is %s',
    async (rc) => {
      world.front.disturbance = ({ path }) =>
        path.startsWith('/_svc/rc') ? new Response(rc, { headers: { 'access-control-allow-origin': '*' } }) : null
      world.front.put(contact, pageWith({ body: formMarkup() }))
      const visitor = await world.visitor()
      const page = await visitor.open(contact)
      await fillAndSend(page)
      await thanks(page)
      expect(visitor.errors).toEqual([])
    },
  )
})

async function fillAndSend(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.test')
  await page.getByRole('button', { name: 'Send' }).click()
}

const thanks = (page: Page): Promise<void> => page.getByRole('status').getByText('Thank you').waitFor()

/** An answer of the box to the customer's website. */
const refusal = (status: number, code: string, retryAfter: string): Response =>
  Response.json(
    { error: { code, message: 'As a test wants it.' } },
    {
      status,
      headers: {
        'access-control-allow-origin': 'https://www.acme.test',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Retry-After',
        'retry-after': retryAfter,
      },
    },
  )

declare const svc: (...command: unknown[]) => void
