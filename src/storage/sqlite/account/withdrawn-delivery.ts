/** Of deliveries that a refusal settled, so that a release finds them again. */
export const withdrawnError = 'An operator refused the submission before it was delivered.'

/** Whether a row of `delivery` belongs to a submission that is in quarantine. */
export const isOfRefused = `EXISTS (SELECT 1 FROM submission_fact fact
  WHERE fact.sequence = delivery.sequence AND fact.status = 'refused' AND fact.released_at IS NULL)`

/** A failed delivery that somebody can do something about; of a refused submission it waits for a release. */
export const isRetriable = `state = 'failed' AND NOT ${isOfRefused}`
