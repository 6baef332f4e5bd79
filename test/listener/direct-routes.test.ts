import { expect, test } from 'bun:test'
import type { RouteHandler } from '../../src/listener/router.ts'
import { type DirectRoutes, directRoutes } from '../../src/listener/routes/routes.ts'

const server = { requestIP: () => null, timeout: () => {} }

/** The route that took the request and what it was given; `null`: the framework is asked. */
function taken(method: string, target: string): unknown {
  let seen: unknown = null
  const named =
    (name: keyof DirectRoutes): RouteHandler =>
    ({ params }) => {
      seen = { [name]: params }
      return new Response()
    }
  const route = directRoutes({ form: named('form'), event: named('event'), click: named('click'), page: named('page') })
  const answer = route(new Request(`http://acme.example${target}`, { method }), server)
  return answer === null ? null : seen
}

test.each([
  ['POST', '/_svc/e', { event: {} }],
  ['POST', '/_svc/e?from=beacon', { event: {} }],
  ['POST', '/_svc/f/abcd1234', { form: { form: 'abcd1234' } }],
  ['GET', '/_svc/c/1.eyJh_-.mac.key', { click: { token: '1.eyJh_-.mac.key' } }],
  ['GET', '/launch?utm_source=mail/x', { page: { slug: 'launch' } }],
  ['GET', '/favicon.ico', { page: { slug: 'favicon.ico' } }],
  ['GET', '/_svc', { page: { slug: '_svc' } }],
  ['GET', '/?a=/b', { page: {} }],
])('%s %s goes straight to its route', (method, target, expected) => {
  expect(taken(method, target)).toEqual(expected)
})

test.each([
  ['HEAD', '/launch'],
  ['POST', '/launch'],
  ['OPTIONS', '/_svc/e'],
  ['GET', '/_svc/e'],
  ['PUT', '/_svc/e'],
  ['POST', '/_svc/e/'],
  ['POST', '/_SVC/e'],
  ['POST', '/_svc/f/'],
  ['POST', '/_svc/f/abcd1234/'],
  ['POST', '/_svc/f/abcd%31234'],
  ['GET', '/_svc/c/'],
  ['GET', '/_svc/c/1.a.b/c'],
  ['GET', '/_svc/rc'],
  ['GET', '/_svc/v1.js'],
  ['GET', '/l%61unch'],
  ['GET', '/caf%C3%A9'],
  ['GET', '/%zz'],
  ['GET', '/launch/'],
  ['GET', '//launch'],
  ['GET', '/_preview/test'],
])('%s %s is left to the framework', (method, target) => {
  expect(taken(method, target)).toBeNull()
})

test('a request whose host no URL can hold is routed by its path alone', () => {
  const route = directRoutes({
    form: () => new Response(),
    event: () => new Response(),
    click: () => new Response(),
    page: ({ params }) => new Response(params.slug),
  })
  const request = { method: 'GET', url: '/launch' } as Request
  expect(route(request, server)).toBeInstanceOf(Response)
})
