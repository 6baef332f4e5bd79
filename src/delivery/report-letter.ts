/** A report as it is mailed, before it is addressed. Kept as JSON, so that every try sends the same. */
export interface ReportLetter {
  accountName: string
  subject: string
  text: string
  html: string
  pictures: readonly ReportPicture[]
}

interface ReportPicture {
  /** Of [a-z0-9-], unique in the letter; its HTML shows it as `cid:…`. */
  cid: string
  /** A PNG in base64. */
  content: string
}

/** The wanted report, and whether it is an example. */
export interface WantedReport {
  accountId: string
  /** As `dueReports` names it. */
  period: string
  isExample: boolean
}

/** Makes letters of an account's figures. */
export interface ReportWriter {
  /** `null`: the account no longer exists. */
  letter(wanted: WantedReport): Promise<ReportLetter | null>
}
