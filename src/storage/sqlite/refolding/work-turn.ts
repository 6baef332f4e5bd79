/** Tells work under way when it is others' turn. */
export interface WorkTurn {
  isOver(): boolean
}
