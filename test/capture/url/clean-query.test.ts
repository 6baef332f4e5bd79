import { describe, expect, test } from 'bun:test'
import { cleanQuery } from '../../../src/capture/url/clean-url.ts'

const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x'
const personalValues = [
  'anna@b.example',
  'anna%40b.example',
  'anna%2540b.example',
  'anna%252540b.example',
  'anna%25252540b.example',
  'anna%u0040b.example',
  'anna%40b.example%zz',
  'anna%EF%BC%A0b.example',
  'anna%40b%E3%80%82example',
  'an%E2%80%8Bna%E2%80%8B@b.example',
  '%D0%B0@%D0%BF%D0%BE%D1%87%D1%82%D0%B0.%D1%80%D1%84',
  'write+to+anna@b.example+today',
  'x;y=anna@b.example',
  '@b.example',
  '+4915112345678',
  '%2B49+151+12345678',
  '%2B49%20(0)%20151%20/%2012345678',
  '(030)+123-4567',
  '030/1234567',
  '0049+151+2345678',
  '01.23.45.67.89',
  '555-123-4567',
  '555.123.4567',
  '49%E2%80%93151%E2%80%932345678',
  '%D9%A0%D9%A1%D9%A2-%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7%D9%A8%D9%A9',
  '%EF%BC%90%EF%BC%93%EF%BC%90-1234567',
  '2026-11-21+030+1234567',
  '4111111111111111',
  '4111+1111+1111+1111',
  'order+12+4111-1111-1111-1111',
  jwt,
  `Bearer+${jwt}`,
  'k7Qm2Vx9Lp4Rt8Wz1Bn6Ys3D',
  'd41d8cd98f00b204e9800998ecf8427e',
  'a1b2c3d4e5f6-a7b8c9d0e1f2_a3',
  'Ab3+Cd4/Ef5Gh6Ij7Kl8Mn9Op0Qr==',
  'https%3A%2F%2Fx.example%2F%3Femail%3Danna',
  'https://x.example/?token=7',
  '/x%23access_token=7',
  '1;password=hunter2',
  '%7B%22password%22:%22hunter2%22%7D',
]

describe('by value', () => {
  test.each(personalValues)('q=%s is removed', (value) =>
    expect(cleanQuery(`a=1&q=${value}&b=2`).query).toBe('a=1&b=2'),
  )
  test.each(personalValues)('%s as a name is removed', (value) =>
    expect(cleanQuery(`a=1&${value}&${value}=&b=2`).query).toBe('a=1&b=2'),
  )
  test.each(personalValues)('%s as a utm value is not stored', (value) =>
    expect(cleanQuery(`utm_term=${value}`)).toEqual({ query: '', attribution: {} }),
  )

  test.each([
    '1234567890',
    '2026-11-21',
    '21.11.2026',
    '11/21/2026',
    '2026-11-21T10:00',
    '2026-11-21+10:00:00',
    '2026-11-21T10:00:00.000%2B02:00',
    '2026-11-21T10:00:00.000-0500',
    '2026-11-21--2026-11-28',
    'sale+2026-11-21',
    '20261121-101500',
    '1763683200001',
    '1.2.3',
    '115.0.5790.102',
    '192.168.100.200',
    '19.99',
    '12999.00',
    '1.234.567,89',
    '52.520008,13.404954',
    '-33.868820',
    'B08N5WRWNW',
    'prod_12345',
    'spring-sale-2026-offer-for-new-customers',
    'red+shoes+size+42+and+some+more+words',
    '/Products/iPhone15Pro/256GB/Blue',
    '550e8400-e29b-41d4-a716-446655440000',
    '12345678-1234-1234-1234-123456789012',
    'react@18',
    'a@localhost',
    '100%25',
    '%zz%',
    '%C3',
    '',
  ])('q=%s stays as it was sent', (value) => expect(cleanQuery(`q=${value}&b=2`).query).toBe(`q=${value}&b=2`))
})

describe('by name', () => {
  test.each([
    'email',
    'EMAIL',
    'Email2',
    'userEmail',
    'user_email',
    'user.email',
    'user-email',
    'user[email]',
    'user%5Bemail%5D',
    'e-mail',
    'EMailAddress',
    'emailAddresses',
    '%65mail',
    '%2565mail',
    '%EF%BD%85mail',
    'email[]',
    'amp;email',
    'phone',
    'phone_number',
    'mobilePhone',
    'tel',
    'token',
    'access_token',
    'csrfToken',
    'URLToken',
    'password',
    'newPassword1',
    'address',
    'street_address',
    'name',
    'Name',
    'user_name',
    'username',
    'firstname',
    'first_name',
    'lastName',
    'fullname',
    'apiKey',
    'api_key',
    'mc_eid',
    'product_email',
    'product_name_email',
  ])('%s is removed', (name) => expect(cleanQuery(`a=1&${name}=7`).query).toBe('a=1'))

  test.each([
    'filename',
    'file_name',
    'product_name',
    'productName',
    'campaign_name',
    'campaign.name',
    'product[name]',
    'headphones',
    'iphone',
    'rename',
    'tokenize',
    'id',
    'user_id',
    'page',
    'q',
    'code',
    'state',
    'key',
    'keyword',
    '__proto__',
    'constructor',
  ])('%s stays', (name) => expect(cleanQuery(`a=1&${name}=7`).query).toBe(`a=1&${name}=7`))
})

describe('what stays', () => {
  test('is byte for byte what was sent', () => {
    const query = 'a&&=&b=%7e+x%2f&c=%C3%A9&d=1;e=2&'
    expect(cleanQuery(query).query).toBe(query)
  })
  test('keeps its order and its bytes where a neighbour goes', () =>
    expect(cleanQuery('a=%7e&&email=x&b=%2F+%20&utm_id=1&c').query).toBe('a=%7e&&b=%2F+%20&c'))
})
