/** A warning that disk space is not freed yet, although the change is final. `null`: it is freed. */
export const uncollectedWarning = (reason: string | null): string[] =>
  reason === null
    ? []
    : [
        `Warning: unused files could not be removed from the data folder (${reason}). They only take up space; the next \`capture apply\` with changes tries again.`,
      ]
