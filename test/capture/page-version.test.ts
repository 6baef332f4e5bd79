import { expect, spyOn, test } from 'bun:test'
import { RunningSplits } from '../../src/account/split.ts'
import { type Choosing, versionLeft } from '../../src/capture/page-version.ts'
import type { SiteRequest } from '../../src/capture/site-request.ts'

test('without splits, the page that something was sent from is not looked at', () => {
  const request = new Request('https://go.acme.test/_svc/e', { headers: { referer: 'https://go.acme.test/launch' } })
  const asked = { request, splits: new RunningSplits([], new Map()), ownOrigin: 'https://go.acme.test' } as SiteRequest
  const parse = spyOn(URL, 'parse')
  expect(versionLeft(asked, {} as Choosing)).toBeNull()
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
