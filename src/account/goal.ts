/** What somebody does on a website that counts: a form is accepted, an event is sent, a page is viewed. */
export type Aim =
  | { kind: 'form'; form: string }
  | { kind: 'event'; event: string }
  /** A path as a browser has it, without a slash at its end: `/thank-you`. */
  | { kind: 'page'; page: string }

export interface Goal {
  name: string
  aim: Aim
}

/** Aims that follow each other within a visit. */
export interface Funnel {
  name: string
  /** Two to eight. */
  steps: Aim[]
}

export interface GoalSettings {
  goals: Goal[]
  funnels: Funnel[]
}

/** The default for accounts published before goals existed. */
export const goalsByDefault: GoalSettings = { goals: [], funnels: [] }

/**
 * What a goal's figures are kept under: what it counts, not what it is called. Renamed, it keeps its figures; a goal that
 * counts something else begins anew.
 */
export const aimKey = (aim: Aim): string => {
  if (aim.kind === 'form') return `form:${aim.form}`
  return aim.kind === 'event' ? `event:${aim.event}` : `page:${aim.page}`
}

/** Which step of which funnel, as figures name it; the first step is 1. No aim's key begins with `#`. */
export const stepKey = (funnel: string, step: number): string => `#${funnel}:${step}`

const funnelCharacters = 12

/** What a funnel's figures are kept under, made of its steps alone. */
export const funnelKey = ({ steps }: Pick<Funnel, 'steps'>): string =>
  Bun.SHA256.hash(steps.map(aimKey).join('\n'), 'hex').slice(0, funnelCharacters)

/** The path without a slash at its end, so that `/thanks` and `/thanks/` are one page. */
export const pagePath = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
