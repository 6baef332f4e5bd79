/** What a goal counts: an accepted form, an event or a page view. */
export type Aim =
  | { kind: 'form'; form: string }
  | { kind: 'event'; event: string }
  /** A path as a browser writes it, without a final slash: `/thank-you`. */
  | { kind: 'page'; page: string }

export interface Goal {
  name: string
  aim: Aim
}

/** Aims in order within one visit. */
export interface Funnel {
  name: string
  /** Two to eight. */
  steps: Aim[]
}

export interface GoalSettings {
  goals: Goal[]
  funnels: Funnel[]
}

/**
 * The key of a goal's figures: what it counts, not its name. A renamed goal keeps its figures; a goal that counts something
 * else starts at zero.
 */
export const aimKey = (aim: Aim): string => {
  if (aim.kind === 'form') return `form:${aim.form}`
  return aim.kind === 'event' ? `event:${aim.event}` : `page:${aim.page}`
}

/** The key of a funnel's step; the first step is 1. No aim's key begins with `#`. */
export const stepKey = (funnel: string, step: number): string => `#${funnel}:${step}`

const funnelCharacters = 12

/** The key of a funnel's figures, derived only from its steps. */
export const funnelKey = ({ steps }: Pick<Funnel, 'steps'>): string =>
  Bun.SHA256.hash(steps.map(aimKey).join('\n'), 'hex').slice(0, funnelCharacters)

/** The path without a final slash, so that `/thanks` and `/thanks/` are one page. */
export const pagePath = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
