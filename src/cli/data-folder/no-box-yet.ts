import { OperatorError } from '../../lib/operator-error.ts'

/** A command that needs an existing box found none: it was probably run in the wrong folder. */
export class NoBoxYet extends OperatorError {
  constructor(readonly dataDir: string) {
    super(
      `There is no box in the data folder ${dataDir} yet: \`capture apply DIR\` or \`capture serve\` makes it. If yours is elsewhere, run the command in the folder with its capture.toml, or name the file with --config.`,
    )
  }
}
