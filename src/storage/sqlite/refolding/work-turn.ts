/** How long the work under way may go on before others get theirs. */
export interface WorkTurn {
  isOver(): boolean
}
