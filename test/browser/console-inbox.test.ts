// The inbox as somebody works with it: leads that appear by themselves, keys, release, notes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

describe.skipIf(!hasChromium)('the inbox in a browser', () => {
  let browser: Browser
  let box: Box
  let page: Page
  let owner: ConsoleVisitor
  const faults: string[] = []

  beforeAll(async () => {
    box = await Box.start([aSite({ forms: [aForm({ name: 'Contact' })] })], { console: { listen: '127.0.0.1:0' } })
    for (const name of ['Ada', 'Grace', 'Edsger']) await send(name)
    await box.send(formRequest({ fields: { name: 'Robot', email: 'r@example.test', _hp: 'filled' } }))
    owner = await ConsoleVisitor.owner(box)
    browser = await sharedChromium()
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const [name = '', value = ''] = owner.cookie.split('=')
    await context.addCookies([{ name, value, url: address('') }])
    page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  const address = (path: string): string => `http://127.0.0.1:${box.consolePort}${path}`
  const send = (name: string) =>
    box.send(formRequest({ fields: { name, email: `${name.toLowerCase()}@example.test`, message: `${name} writes` } }))
  const names = () => page.locator('#inbox .who bdi').allTextContents()
  const focused = () => page.evaluate(() => document.querySelector('#inbox a:focus .who bdi')?.textContent ?? '')

  /** What has the focus and the role of a status. */
  const said = (on: Page) => on.locator('[role=status]:focus').textContent()
  const lead = (name: string) => page.locator('#lead-pane h1', { hasText: `From ${name}` })

  beforeEach(async () => {
    faults.length = 0
    await page.goto(address('/a/acme'))
  })

  test('shows a new lead without a reload, once, and as text', async () => {
    const before = await names()
    await send('<b>Barbara</b>')
    await page.locator('#inbox .who bdi', { hasText: 'Barbara' }).waitFor()
    expect(await names()).toEqual(['<b>Barbara</b>', ...before])
    expect(await page.locator('#inbox-news').textContent()).toBe('New: <b>Barbara</b>')
    const row = page.locator('#inbox li').first()
    expect([await row.getAttribute('data-state'), await row.getAttribute('data-day')]).toEqual(['new', 'today'])
    expect(await row.locator('time').allInnerTexts()).toEqual([expect.stringMatching(/^\s*\d\d:\d\d$/)])
    await row.locator('a').click()
    await page.waitForURL(/\/s\/[0-9a-f-]{36}$/)
    expect(await page.locator('#lead-pane h1').textContent()).toBe('From <b>Barbara</b>')
    expect(faults).toEqual([])
  })

  test('has two lines a lead on a phone: who and when, then what and from where', async () => {
    const row = page.locator('#inbox li', { hasText: 'Grace' }).first()
    const middleOf = async (part: string) => {
      const { y, height } = (await row.locator(part).boundingBox()) ?? { y: 0, height: 0 }
      return y + height / 2
    }
    const [who, time, gist] = [await middleOf('.who'), await middleOf('time'), await middleOf('.gist')]
    expect(Math.abs(who - time)).toBeLessThan(4)
    expect(gist - who).toBeGreaterThan(12)
    expect((await row.boundingBox())?.height).toBeLessThan(70)
  })

  test('shows a lead once that arrived while the page was made', async () => {
    await page.route(address('/a/acme'), async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/data-after="\d+"/, 'data-after="0"'),
      })
    })
    await page.goto(address('/a/acme'))
    const before = await names()
    await send('Hedy')
    await page.locator('#inbox .who bdi', { hasText: 'Hedy' }).waitFor()
    expect((await names()).sort()).toEqual([...before, 'Hedy'].sort())
    await page.unrouteAll()
  })

  test('marks a lead as seen once somebody looks at its page, and as new again on request', async () => {
    await page.locator('#inbox a', { hasText: 'Ada' }).click()
    await page.locator('.work .mark', { hasText: 'Seen' }).waitFor()
    await page.reload()
    expect(await page.locator('.work .mark').textContent()).toBe('Seen')
    const tops = await page
      .locator('.work .do > *')
      .evaluateAll((acts) => acts.map((act) => act.getBoundingClientRect().top))
    expect([tops.length, new Set(tops).size]).toEqual([3, 1])
    const [more, menu] = [page.getByRole('button', { name: 'More …' }), page.locator('#other')]
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.locator('h1', { hasText: 'From Ada' }).click(),
    ]) {
      await more.click()
      await menu.waitFor()
      await leave()
      await menu.waitFor({ state: 'hidden' })
      expect(await page.locator('h1', { hasText: 'From Ada' }).isVisible()).toBe(true)
    }
    await more.click()
    await page.locator('.work button', { hasText: 'Mark as new' }).click()
    await page.getByText('Marked as new.').waitFor()
    await page.goto(address('/a/acme'))
    expect(await page.locator('#inbox li', { hasText: 'Ada' }).getAttribute('data-state')).toBe('new')
    expect(faults).toEqual([])
  })

  test('shows a lead as seen in its list, too, when the list comes after the lead', async () => {
    const path = (await page.locator('#inbox a', { hasText: 'Ada' }).getAttribute('href')) ?? ''
    const count = Number(await page.locator('[data-count=new]').textContent())
    const loaded = Promise.withResolvers<void>()
    const before = await (await page.request.get(address('/a/acme'))).text()
    await page.route('**/a/acme', async (route) => {
      await loaded.promise
      await route.fulfill({ body: before, contentType: 'text/html' })
    })
    await page.goto(address(path))
    // What the page has sent by itself is answered before this is.
    await page.evaluate(() => fetch('/a/acme/persons').then((answer) => answer.text()))
    loaded.resolve()
    await page.locator('.work .mark', { hasText: 'Seen' }).waitFor()
    await page.locator('#inbox li[data-state=seen]', { hasText: 'Ada' }).waitFor({ state: 'attached' })
    expect(await page.locator('[data-count=new]').textContent()).toBe(String(count - 1))
    await page.unrouteAll()
    await page.locator('.work button', { hasText: 'More …' }).click()
    await page.locator('.work button', { hasText: 'Mark as new' }).click()
    await page.getByText('Marked as new.').waitFor()
    expect(faults).toEqual([])
  })

  test('goes on with a search that stopped for time, until it has looked at everything', async () => {
    // A box with so many submissions would take long to fill: this answer says what it would say.
    const further = '<p id="further">Searched back to some day so far. <a href="/a/acme?q=grace">Search further</a></p>'
    await page.route('**/a/acme?q=nobody', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace('<p class="keys">', `${further}$&`)
      await route.fulfill({ response: answer, body })
    })
    await page.goto(address('/a/acme?q=nobody'))
    await page.locator('#inbox .who bdi', { hasText: 'Grace' }).waitFor()
    await page.locator('#further').waitFor({ state: 'detached' })
    expect(await names()).toEqual(['Grace'])
    expect(await page.locator('#inbox-empty').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('adds older leads once, however often they are asked for, and the way to search further', async () => {
    await page.route('**/a/acme?q=nobody', async (route) => {
      const answer = await route.fetch()
      const older = '<p class="more" id="ways"><a id="older" href="/a/acme?q=grace">Older</a></p>'
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('<p class="keys">', `${older}$&`),
      })
    })
    await page.route('**/a/acme?q=grace', async (route) => {
      const answer = await route.fetch()
      const further = '<p id="further">Searched back to some day. <a href="/a/acme">Search further</a></p>'
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('<p class="keys">', `${further}$&`),
      })
    })
    await page.goto(address('/a/acme?q=nobody'))
    let answers = 0
    const second = page.waitForResponse((answer) => answer.url().endsWith('/a/acme?q=grace') && ++answers === 2)
    await page.locator('#older').evaluate((link: HTMLElement) => {
      link.click()
      link.click()
    })
    await (await second).finished()
    await page.locator('#older').waitFor({ state: 'detached' })
    expect(await names()).toEqual(['Grace'])
    expect(await page.locator('#further').count()).toBe(1)
    await page.unrouteAll()
  })

  test('is worked through by keys', async () => {
    const [first = '', second = ''] = await names()
    await page.keyboard.press('j')
    expect(await focused()).toBe(first)
    await page.keyboard.press('j')
    expect(await focused()).toBe(second)
    await page.keyboard.press('k')
    await page.keyboard.press('e')
    await page.locator('#inbox li[data-state=done] .who bdi', { hasText: first }).waitFor()
    expect(await focused()).toBe(second)
    await page.keyboard.press('Enter')
    await lead(second).waitFor()
    await page.keyboard.press('e')
    await page.locator('#inbox li[data-state=done] .who bdi', { hasText: second }).waitFor({ state: 'attached' })
    await page.keyboard.press('u')
    await page.locator('#lead-pane h1').waitFor({ state: 'detached' })
    expect(await page.locator('#inbox li[data-state=done]').count()).toBe(2)
    expect(faults).toEqual([])
  })

  test('selects by keys, does one thing to all that are selected, and takes it back', async () => {
    const states = () => page.locator('#inbox li[data-state=new]').count()
    const before = await states()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('2 selected:').waitFor()
    await page.locator('#bulk').getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('2 submissions refused.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 submissions released.').waitFor()
    expect(await states()).toBe(before)
    expect(faults).toEqual([])
  })

  test('ignores keys while somebody types, or when they are turned off', async () => {
    await page.goto(address('/a/acme?form=contact1'))
    await page.keyboard.press('/')
    await page.keyboard.type('jek?')
    expect(await page.locator('#q').inputValue()).toBe('jek?')
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await page.locator('#keys[open]').waitFor()
    await page.locator('#keys-on').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    expect(await focused()).toBe('')
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.locator('#keys-on').check()
    await page.keyboard.press('Escape')
  })

  test('releases from quarantine, and keeps notes, on a phone', async () => {
    await page.getByRole('link', { name: 'Quarantine' }).click()
    await page.getByRole('link', { name: /Robot/ }).click()
    await page.getByRole('button', { name: /^Release/ }).click()
    await page.locator('#inbox-notice', { hasText: 'Released. From now on it counts as a lead.' }).waitFor()
    await page.goto(address('/a/acme?q=robot'))
    await page.getByRole('link', { name: /Robot/ }).click()
    await page.getByLabel('New note').fill('A person after all\nCall <i>them</i>')
    await page.getByRole('button', { name: 'Save note' }).click()
    await page.getByText('Call <i>them</i>').waitFor()
    expect(await said(page)).toBe('Saved the note.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(faults).toEqual([])
  })

  describe('beside its leads, in a wide window', () => {
    let wide: Page
    beforeAll(async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      await context.addCookies(await page.context().cookies())
      wide = await context.newPage()
      wide.on('pageerror', ({ message }) => faults.push(message))
    })
    const heading = () => wide.locator('#lead-pane h1:focus').textContent()
    const opened = (name: string) => wide.locator('#lead-pane h1:focus', { hasText: name }).waitFor()
    const inList = () => wide.locator('#inbox li:visible .who bdi').allTextContents()

    test('keeps the list in sight, and the address names the lead: Back and Reload show both', async () => {
      await wide.goto(address('/a/acme?status=accepted'))
      const [first = '', second = ''] = await inList()
      await wide.getByRole('link', { name: second }).click()
      await opened(second)
      expect(await wide.locator('#inbox a[aria-current]').textContent()).toContain(second)
      await wide.reload()
      await wide.locator('#inbox a[aria-current]', { hasText: second }).waitFor()
      expect([await inList(), new URL(wide.url()).search]).toEqual([
        expect.arrayContaining([first, second]),
        '?status=accepted',
      ])
      await wide.goBack()
      await wide.locator('#lead-pane h1').waitFor({ state: 'detached' })
      expect(faults).toEqual([])
    })

    test('leads from each act to the next lead, and back to what was taken back', async () => {
      await wide.goto(address('/a/acme'))
      const [first = '', second = '', third = ''] = await inList()
      const leads = await wide.locator('[data-count=accepted]').textContent()
      await wide.keyboard.press('j')
      await wide.keyboard.press('Enter')
      await opened(first)
      // As fast as somebody types: each key works on what the one before it led to.
      await wide.keyboard.type('er')
      await opened(third)
      expect([await inList()].flat()).not.toContain(second)
      expect(await wide.locator('[data-count=accepted]').textContent()).toBe(String(Number(leads) - 1))
      await wide.keyboard.type('z')
      await opened(second)
      expect(await inList()).toContain(second)
      await wide.keyboard.press('k')
      await opened(first)
      expect(await wide.locator('#inbox li').first().getAttribute('data-state')).toBe('done')
      await wide.getByRole('button', { name: 'Reopen' }).first().click()
      await wide.locator('#inbox-notice', { hasText: 'Reopened.' }).waitFor()
      expect(await heading()).toBe(`From ${first}`)
      expect(faults).toEqual([])
    })

    test('keeps a note that is not saved at its lead', async () => {
      await wide.goto(address('/a/acme'))
      const [first = '', second = ''] = await inList()
      await wide.getByRole('link', { name: first }).click()
      await opened(first)
      await wide.keyboard.press('n')
      await wide.keyboard.type('They want to be called on')
      await wide.keyboard.press('Escape')
      await wide.keyboard.press('j')
      await opened(second)
      expect(await wide.locator('#note').inputValue()).toBe('')
      await wide.keyboard.press('k')
      await opened(first)
      expect(await wide.locator('#note').inputValue()).toBe('They want to be called on')
      expect(faults).toEqual([])
    })

    test('says of a lead that somebody else has removed that it is gone, and goes on', async () => {
      for (const name of ['Lost', 'Gone']) await send(name)
      await wide.goto(address('/a/acme'))
      const [gone = '', lost = '', next = ''] = await inList()
      const ids = await wide.locator('#inbox li').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')))
      await wide.getByRole('link', { name: gone }).click()
      await opened(gone)
      const removal = { action: 'remove', ids: ids.slice(0, 2) }
      await owner.sendJson('POST', '/api/v1/accounts/acme/submissions/bulk', removal)
      await wide.getByRole('link', { name: lost }).click()
      await wide.locator('#inbox-notice', { hasText: 'This lead is gone' }).waitFor()
      await wide.keyboard.press('e')
      await opened(next)
      expect(await wide.locator('#inbox-notice').textContent()).toBe('There is no such submission.')
      expect(await inList()).not.toContain(gone)
      expect(await inList()).not.toContain(lost)
    })

    test('shows in the list of all what went to quarantine, and keeps the place', async () => {
      await wide.goto(address('/a/acme?status=all'))
      const row = wide.locator('#inbox li', { hasNot: wide.locator('.mark') }).first()
      const id = await row.getAttribute('data-id')
      const worked = wide.locator(`#inbox [data-id="${id}"]`)
      const acts = () =>
        worked.locator('form button:not([hidden])').evaluateAll((all) => all.map((one) => one.getAttribute('value')))
      const before = await acts()
      await worked.locator('a').focus()
      await wide.keyboard.press('r')
      await worked.locator('.mark', { hasText: 'quarantine' }).waitFor()
      expect(await acts()).toEqual(['release'])
      await wide.keyboard.press('z')
      await worked.locator('.mark', { hasText: 'released' }).waitFor()
      expect(await acts()).toEqual(before)
      expect(await worked.locator('a:focus').count()).toBe(1)
      expect(faults).toEqual([])
    })

    test('says when nothing arrives any more, and leaves undone what is done meanwhile', async () => {
      await wide.goto(address('/a/acme'))
      await wide.locator('#live', { hasText: /^Live$/ }).waitFor()
      await wide.context().setOffline(true)
      await wide.locator('#live', { hasText: 'Not live' }).waitFor()
      await wide.keyboard.press('j')
      await wide.keyboard.press('r')
      await wide.locator('#inbox-notice', { hasText: 'There is no connection. Nothing was changed' }).waitFor()
      await wide.context().setOffline(false)
      await send('Radia')
      await wide.locator('#inbox .who bdi', { hasText: 'Radia' }).waitFor()
      expect(await wide.locator('#live').textContent()).toBe('Live')
    })
  })

  test('moves its leads to the days before when it stays open past midnight', async () => {
    await page.clock.install({ time: new Date() })
    await page.goto(address('/a/acme'))
    const row = page.locator('#inbox li').first()
    const shown = async () => [await row.getAttribute('data-day'), ...(await row.locator('time').allInnerTexts())]
    expect(await shown()).toEqual(['today', expect.stringMatching(/^\d\d:\d\d$/)])
    await page.clock.fastForward('24:00:00')
    expect(await shown()).toEqual(['yesterday', expect.stringMatching(/^\d\d:\d\d$/)])
    await page.clock.fastForward('24:00:00')
    expect(await shown()).toEqual(['earlier', expect.stringMatching(/^\d+ \w{3}$/)])
  })

  test('says that the session has ended, and leaves the row as it is', async () => {
    const other = await ConsoleVisitor.owner(box)
    const context = await browser.newContext()
    const [name = '', value = ''] = other.cookie.split('=')
    await context.addCookies([{ name, value, url: address('') }])
    const left = await context.newPage()
    await left.goto(address('/a/acme?state=new'))
    const row = left.locator('#inbox li[data-state=new]').first()
    await other.send('POST', '/sign-out', {})
    await row.getByRole('button', { name: /^Done/ }).click()
    await left.getByText('Your session has ended. Nothing was changed').waitFor()
    expect(await row.getByRole('button', { name: /^Done/ }).count()).toBe(1)
    // As when the window is looked at again.
    await left.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await left.locator('#live', { hasText: 'Signed out' }).waitFor()
    await left.getByRole('link', { name: 'Sign in' }).click()
    await left.waitForURL(/\/sign-in\?to=%2Fa%2Facme%3Fstate%3Dnew$/)
    await context.close()
  })

  test('works without a script, by plain reload', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    await context.addCookies(await page.context().cookies())
    const plain = await context.newPage()
    await plain.goto(address('/a/acme?state=done'))
    const done = await plain.locator('#inbox li').count()
    await plain.goto(address('/a/acme'))
    await plain.locator('#inbox').getByRole('button', { name: /^Done/ }).first().click()
    expect(await said(plain)).toStartWith('Marked as done.')
    await plain.goto(address('/a/acme?state=done'))
    expect(await plain.locator('#inbox li').count()).toBe(done + 1)
    await context.close()
  })
})
