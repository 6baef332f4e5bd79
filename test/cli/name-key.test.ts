import { expect, test } from 'bun:test'
import { renewNameKey } from '../../src/cli/serve/serve-run.ts'
import { signingKey } from '../account/sample-signing-keys.ts'

test('a full disk keeps no box from serving: the key before stays, and the log says so', async () => {
  const warnings: string[] = []
  const store = {
    rotate: async () => {
      throw new Error('database or disk is full')
    },
  }
  await renewNameKey(store, { warn: (message) => void warnings.push(message) })
  expect(warnings).toEqual(['The key that proves names could not be renewed; the old one stays in use.'])
})

test('each start of a service makes a key of its own', async () => {
  const purposes: string[] = []
  const rotate = async (purpose: 'name' | 'click' | 'cookie' | 'preview') => {
    purposes.push(purpose)
    return signingKey({ purpose })
  }
  await renewNameKey({ rotate }, { warn: () => {} })
  expect(purposes).toEqual(['name'])
})
