import { rateLimitAddress } from '../lib/ip.ts'
import type { Budget, BudgetStore } from './budget-store.ts'
import { Refusal } from './refusal.ts'
import type { SiteRequest } from './site-request.ts'

/** The box's budgets, in requests per window. */
export interface Limits {
  formPerIp: number
  formPerOrigin: number
  eventPerIp: number
  eventPerOrigin: number
  viewPerIp: number
  requestsPerIp: number
  clickPerIp: number
  windowSeconds: number
}

/** Form: account + form id + IP, and account + origin; without an `Origin` the per-IP budget alone. */
export function formBudgets(
  { account, clientAddress }: SiteRequest,
  { formId, origin, limits }: { formId: string; origin: string | null; limits: Limits },
): Budget[] {
  const { windowSeconds } = limits
  const address = rateLimitAddress(clientAddress)
  const perIp = { key: `form ${account.id} ${formId} ${address}`, tokensMax: limits.formPerIp, windowSeconds }
  if (origin === null) return [perIp]
  return [perIp, { key: `form ${account.id} ${origin}`, tokensMax: limits.formPerOrigin, windowSeconds }]
}

/** Event: account + IP, and account + origin; apart from the budgets of forms. */
export function eventBudgets({ account, clientAddress }: SiteRequest, origin: string | null, limits: Limits): Budget[] {
  const { windowSeconds } = limits
  const address = rateLimitAddress(clientAddress)
  const perIp = { key: `event ${account.id} ${address}`, tokensMax: limits.eventPerIp, windowSeconds }
  if (origin === null) return [perIp]
  return [perIp, { key: `event ${account.id} ${origin}`, tokensMax: limits.eventPerOrigin, windowSeconds }]
}

/** Page view: account + IP. */
export const viewBudgets = (asked: SiteRequest, { viewPerIp, windowSeconds }: Limits): Budget[] => [
  { key: `view ${asked.account.id} ${rateLimitAddress(asked.clientAddress)}`, tokensMax: viewPerIp, windowSeconds },
]

/** Click: account + IP. */
export const clickBudgets = (asked: SiteRequest, { clickPerIp, windowSeconds }: Limits): Budget[] => [
  { key: `click ${asked.account.id} ${rateLimitAddress(asked.clientAddress)}`, tokensMax: clickPerIp, windowSeconds },
]

/** Any request at all, to any account: IP. */
export const requestBudgets = (clientAddress: string, { requestsPerIp, windowSeconds }: Limits): Budget[] => [
  { key: `request ${rateLimitAddress(clientAddress)}`, tokensMax: requestsPerIp, windowSeconds },
]

/** Form check 6, event check 5. */
export const withinBudgets = (store: BudgetStore, budgets: Budget[]): Promise<void> => store.take(budgets).then(isTaken)

function isTaken(retryAfterSeconds: number): void {
  if (retryAfterSeconds > 0) throw new Refusal('budget', { retryAfterSeconds })
}
