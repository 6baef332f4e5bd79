import { join } from 'node:path'
import { inspectionOf, restorePorts } from '../../src/cli/open.ts'
import type { Session } from '../../src/cli/session.ts'
import { removeAccount } from '../../src/operations/account/remove-account.ts'
import { listAccounts, showAccount } from '../../src/operations/account/show-account.ts'
import { applyFolder } from '../../src/operations/apply/apply-folder.ts'
import { backUp } from '../../src/operations/backup/back-up.ts'
import { restore } from '../../src/operations/backup/restore.ts'
import type { Box } from '../../src/operations/box.ts'
import {
  listDeliveries,
  pageOfDeliveries,
  retryDeliveries,
  showDelivery,
} from '../../src/operations/delivery/deliveries.ts'
import {
  listDestinations,
  pauseDestination,
  resumeDestination,
  rotateDeliverySecret,
  testDestination,
} from '../../src/operations/delivery/destinations.ts'
import { examineBox } from '../../src/operations/doctor/examine-box.ts'
import { checkDomain, listDomains } from '../../src/operations/domain/list-domains.ts'
import { exportRecords } from '../../src/operations/export/export-records.ts'
import { listTrackingKeys, revokeKeys, rotateKey, rotateSecret } from '../../src/operations/key/keys.ts'
import { rejudgeClicks, rewriteMail, signLink } from '../../src/operations/link/click-links.ts'
import { publishPage, rollBackPage } from '../../src/operations/page/page-acts.ts'
import { listPages, pageHistory } from '../../src/operations/page/pages.ts'
import { previewLink } from '../../src/operations/page/preview-link.ts'
import { erasablePerson, erasePerson } from '../../src/operations/person/erase-person.ts'
import { showPerson } from '../../src/operations/person/show-person.ts'
import { readRefusals } from '../../src/operations/refusals/read-refusals.ts'
import { readReport } from '../../src/operations/report/read-report.ts'
import { allowDeletion, listRetention, trustClock } from '../../src/operations/retention/retention-acts.ts'
import { listSubmissions } from '../../src/operations/submission/list-submissions.ts'
import { releaseSubmission } from '../../src/operations/submission/release-submission.ts'
import { showSubmission } from '../../src/operations/submission/show-submission.ts'
import { readSiteFolder } from '../../src/site/folder.ts'
import { noConsent } from '../../src/site/harm.ts'

/** What a thread is told of the box that it works on. */
export interface Workplace {
  /** With `capture.toml`, whose data folder holds the account and one submission of the person. */
  dir: string
  account: string
  page: string
  submissionId: string
  email: string
}

type Call = (box: Box, workplace: Workplace, onNotice: (notice: unknown) => void) => Promise<unknown>

/** A webhook of the account. */
export const destination = 'crm'

const mail = ({ account }: Workplace) => ({ account, email: null, message: 'news', domain: null })
const by = { via: 'console', name: 'ada@agency.example' } as const
const unwatched = { onProgress: () => {}, onPublished: () => {} }

/** Every operation on an opened box, called as somebody without a terminal calls it: in this order. */
export const calls: Record<string, Call> = {
  applyFolder: async (box, { dir, account }) => {
    const site = join(dir, 'sites', account)
    const folder = await readSiteFolder(site, {})
    return applyFolder(
      box,
      {
        folder,
        dir: site,
        dryRun: false,
        prune: false,
        accept: noConsent,
        strict: false,
        by,
        connects: 'any',
        origin: 'elsewhere',
        mayDecideOnData: true,
      },
      unwatched,
    )
  },
  listAccounts: (box) => listAccounts(box),
  showAccount: (box, { account }) => showAccount(box, account),
  listDomains: (box) => listDomains(box, { account: null, asksAuthority: true }),
  checkDomain: async (box, { account }) => {
    const { domains } = (await showAccount(box, account)).settings
    return checkDomain.run(box, { host: domains[0] ?? '', account, now: true }, by)
  },
  listDeliveries: (box, { account }, onNotice) =>
    Array.fromAsync(listDeliveries(box, { account, failedOnly: false, limit: null }, onNotice)),
  pageOfDeliveries: (box, { account }, onNotice) =>
    pageOfDeliveries(box, { account, state: 'waiting', q: destination, limit: 10, behind: null }, onNotice),
  showDelivery: async (box, { account }, onNotice) => {
    const wanted = { account, state: null, q: null, limit: 1, behind: null }
    const { deliveries } = await pageOfDeliveries(box, wanted, onNotice)
    return showDelivery(box, { account, id: deliveries[0]?.id ?? '' })
  },
  retryDeliveries: (box, { account }) => retryDeliveries.run(box, { account, destination, failed: false }, by),
  listDestinations: (box, { account }) => listDestinations(box, account),
  pauseDestination: (box, { account }) => pauseDestination.run(box, { account, destination }, by),
  resumeDestination: (box, { account }) => resumeDestination.run(box, { account, destination }, by),
  testDestination: (box, { account }) => testDestination.run(box, { account, destination }, by),
  rotateDeliverySecret: (box, { account }) => rotateDeliverySecret.run(box, { account, destination }, by),
  listTrackingKeys: (box, { account }) => listTrackingKeys(box, account),
  rotateKey: (box, { account }) => rotateKey.run(box, { account, overlap: '1s' }, by),
  revokeKeys: (box, { account }) => revokeKeys.run(box, { account }, by),
  rotateSecret: (box) => rotateSecret.run(box, { purpose: 'preview' }, by),
  listPages: (box, { account }) => listPages(box, account),
  publishPage: (box, { account, page }) => publishPage.run(box, { account, slug: page }, by),
  pageHistory: (box, { account, page }) => pageHistory(box, { account, slug: page }),
  rollBackPage: (box, { account, page }) => rollBackPage.run(box, { account, slug: page, to: 1 }, by),
  previewLink: (box, { account }) => previewLink.run(box, { account, kind: 'test' }, { caller: null }),
  signLink: async (box, workplace) => {
    const { domains } = (await showAccount(box, workplace.account)).settings
    return signLink(box, { ...mail(workplace), destination: `http://${domains[0]}/` })
  },
  rewriteMail: (box, workplace) =>
    rewriteMail(box, { ...mail(workplace), html: '<a href="mailto:a@b.example">x</a>', file: null }),
  rejudgeClicks: (box, { account }, onNotice) => rejudgeClicks.run(box, { account }, { onNotice }),
  listSubmissions: (box, { account }, onNotice) =>
    listSubmissions(box, { account, which: 'all', since: null, limit: 10 }, onNotice),
  showSubmission: (box, { account, submissionId: id }, onNotice) => showSubmission(box, { account, id }, onNotice),
  releaseSubmission: (box, { account, submissionId: submission }, onNotice) =>
    releaseSubmission.run(box, { account, submission }, { onNotice }),
  showPerson: async (box, named, onNotice) => {
    const shown = await showPerson(box, named, onNotice)
    return { person: shown.person, submissions: await Array.fromAsync(shown.submissions()) }
  },
  exportRecords: async (box, { account }, onNotice) => {
    const every = { since: null, until: null, include: 'all', test: true, withChanged: true } as const
    const wanted = { account, what: 'submissions', format: { name: 'jsonl' }, ...every } as const
    const { chunks } = await exportRecords(box, wanted, { onNotice, onRecord: () => {} })
    return Array.fromAsync(chunks)
  },
  readReport: (box, { account }, onNotice) =>
    readReport(box, { account, period: { since: { at: box.clock.now() }, until: null } }, onNotice),
  readRefusals: (box, { account }) => readRefusals(box, { account, since: { at: 0 } }),
  listRetention: (box) => listRetention(box),
  allowDeletion: (box, { account }) => allowDeletion.run(box, { account }, by),
  trustClock: (box) => trustClock.run(box, {}, by),
  backUp: (box, { dir }) =>
    backUp(
      box,
      { file: join(dir, 'box.backup'), skipDamaged: false, recipients: [], program: 'test' },
      { onBytes: () => {}, onDamaged: () => {} },
    ),
  erasable: (box, { account, email }, onNotice) => erasablePerson(box, { account, person: email }, onNotice),
  erasePerson: (box, { account, email }, onNotice) => erasePerson.run(box, { account, person: email }, { onNotice }),
  removeAccount: (box, { account }) => removeAccount.run(box, { account }, by),
}

/** Operations on a box that nobody has opened. */
export const unopenedCalls: Record<string, (session: Session, workplace: Workplace) => Promise<unknown>> = {
  examineBox: async (session) => {
    const loaded = await session.loadConfig()
    const inspection = await inspectionOf(loaded, session)
    return examineBox(inspection, { databaseFile: join(loaded.config.dataDir, 'capture.db'), deep: true })
  },
  restore: async (session, { dir }) => {
    const { config } = await session.loadConfig()
    const ports = await restorePorts(session.clock)
    const wanted = { file: join(dir, 'box.backup'), identities: [], dataDir: config.dataDir, now: session.clock.now() }
    return restore(ports, wanted, () => {})
  },
}
