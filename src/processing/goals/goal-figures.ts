import type { Figure } from '../figures/figures.ts'

/**
 * The figures of its day that an entry adds one to: each goal that it did, and each goal and step of a funnel that its visit
 * had not done before. Its erasure takes one from each.
 */
export const goalFigures = ({
  targets,
  counted,
}: {
  targets: readonly string[]
  counted: readonly string[]
}): Omit<Figure, 'day'>[] => [
  ...targets.filter((target) => !isStep(target)).map((name) => ({ measure: 'goal_time' as const, name })),
  ...counted.map((name) => ({ measure: isStep(name) ? ('funnel' as const) : ('goal' as const), name })),
]

const isStep = (target: string): boolean => target.startsWith('#')
