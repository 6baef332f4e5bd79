import { expect, test } from 'bun:test'
import { clickIdNames } from '../../../src/capture/url/parameter-name.ts'
import platforms from '../../../src/processing/attribution/known/click-platforms.json'
import searchEngines from '../../../src/processing/attribution/known/search-engines.json'
import socialNetworks from '../../../src/processing/attribution/known/social-networks.json'
import webmail from '../../../src/processing/attribution/known/webmail.json'
import { knownReferrer } from '../../../src/processing/attribution/referrer.ts'

test.each([
  ['google.com', 'google', 'organic'],
  ['www.google.de', 'google', 'organic'],
  ['www.google.co.uk', 'google', 'organic'],
  ['www.google.com.br', 'google', 'organic'],
  ['news.google.co.jp', 'google', 'organic'],
  ['google.cat', 'google', 'organic'],
  ['www.bing.com', 'bing', 'organic'],
  ['uk.search.yahoo.com', 'yahoo', 'organic'],
  ['search.yahoo.co.jp', 'yahoo', 'organic'],
  ['yandex.com.tr', 'yandex', 'organic'],
  ['suche.gmx.net', 'gmx', 'organic'],
  ['t.co', 'x', 'social'],
  ['lm.facebook.com', 'facebook', 'social'],
  ['www.pinterest.co.uk', 'pinterest', 'social'],
  ['out.reddit.com', 'reddit', 'social'],
  ['mail.google.com', 'gmail', 'email'],
  ['mail.yahoo.co.jp', 'yahoo mail', 'email'],
  ['deref-gmx.net', 'gmx', 'email'],
  ['outlook.live.com', 'outlook', 'email'],
])('%s is %s, %s', (host, source, medium) => {
  expect(knownReferrer(host)).toEqual({ source, medium })
})

test.each([
  'docs.google.com',
  'accounts.google.de',
  'notgoogle.com',
  'google.com.evil.example',
  'google.example',
  'mybing.com',
  'com',
  'localhost',
  '203.0.113.7',
  '',
])('%p is a site like any other', (host) => {
  expect(knownReferrer(host)).toEqual({ source: host, medium: 'referral' })
})

test('a site is one source with and without www', () => {
  expect(knownReferrer('www.partner.example')).toEqual(knownReferrer('partner.example'))
})

const lists = { searchEngines, socialNetworks, webmail }
const hosts = Object.values(lists).flatMap((list) => Object.values(list.hosts).flat())

test('a host is in one list, once', () => {
  const all = [...hosts, ...searchEngines.otherHosts]
  expect(all.filter((host, index) => all.indexOf(host) !== index)).toEqual([])
})

test('the lists hold lower-case host names, a star for the country at most', () => {
  const hostName = /^(?:[a-z0-9-]+\.)+(?:[a-z][a-z0-9-]+|\*)$/
  expect([...hosts, ...searchEngines.otherHosts].filter((host) => !hostName.test(host))).toEqual([])
})

test('the lists name their sources', () => {
  for (const { source } of [...Object.values(lists), platforms]) expect(source.length).toBeGreaterThan(20)
})

test('every click id that the capture lifts out of an address has its platform, and no other', () => {
  expect(new Set(platforms.platforms.flatMap(({ ids }) => ids))).toEqual(new Set(clickIdNames))
})
