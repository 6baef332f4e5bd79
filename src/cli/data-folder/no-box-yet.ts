import { OperatorError } from '../../lib/operator-error.ts'

/** A command that works on what is there found no box: most likely it was run in the wrong folder. */
export class NoBoxYet extends OperatorError {
  constructor(readonly dataDir: string) {
    super(
      `There is no box in the data folder ${dataDir} yet: \`capture apply DIR\` or \`capture serve\` makes it. If yours is elsewhere, run the command where its capture.toml is, or name that with --config.`,
    )
  }
}
