import {
  accountDomains,
  accountList,
  accountRemove,
  accountShow,
  accountShowPersonal,
} from './account/account-commands.ts'
import { accountMove } from './account/move.ts'
import { alertTest } from './alert/test.ts'
import { apply } from './apply/apply.ts'
import { auditExport, auditList } from './audit/audit-commands.ts'
import { auditVerify } from './audit/verify.ts'
import { backup, backupKey } from './backup/backup.ts'
import { backupList } from './backup/list.ts'
import { backupNow } from './backup/now.ts'
import { repairCommand } from './backup/repair.ts'
import { restoreCommand } from './backup/restore.ts'
import { backupVerify } from './backup/verify.ts'
import { clusterJoin } from './cluster/join.ts'
import { clusterLead } from './cluster/lead.ts'
import { clusterLeave } from './cluster/leave.ts'
import { clusterStatusCommand } from './cluster/status.ts'
import type { Command } from './command.ts'
import { configCheck, configExample } from './config/config-commands.ts'
import {
  deliveryBackfill,
  deliveryList,
  deliveryPause,
  deliveryResume,
  deliveryRetry,
  deliverySecretRotate,
  deliveryShow,
  deliveryTest,
} from './delivery/delivery-commands.ts'
import { doctor } from './doctor/doctor.ts'
import { domainCheck, domainList, domainRelease, domainReserved } from './domain/domain-commands.ts'
import { exportCommand } from './export/export.ts'
import { formNew } from './form/new.ts'
import { keyNew, keyRevoke, keyRotate, secretRotate } from './key/key-commands.ts'
import { clicksRejudge, linkRewrite, linkSign } from './link/link-commands.ts'
import { newSite } from './new.ts'
import {
  pageHistoryCommand,
  pageList,
  pagePromote,
  pagePublish,
  pageRollback,
  pageUnpublish,
  preview,
} from './page/page-commands.ts'
import { personErase } from './person/erase.ts'
import { personShow } from './person/show.ts'
import { refusals } from './report/refusals.ts'
import { report } from './report/report.ts'
import { retentionAllow, retentionList, retentionTrustClock } from './retention/retention-commands.ts'
import { ready, serve } from './serve/serve.ts'
import { serviceInstall, serviceStatus, serviceUninstall } from './service/service.ts'
import { submissionFile } from './submission/file.ts'
import { submissionRefuse, submissionRelease } from './submission/quarantine-commands.ts'
import { submissionRemove } from './submission/remove.ts'
import { submissionShow } from './submission/show.ts'
import { submissionList } from './submission/submission-commands.ts'
import { tokenCreate, tokenList, tokenRevoke } from './token/token-commands.ts'
import { upgrade } from './upgrade/upgrade.ts'
import { userInvite, userList, userRemove, userRole, userSignOut } from './user/user-commands.ts'
import { version } from './version.ts'

// Storage is imported on demand, so that `version` and `help` start without it.
const exporting = exportCommand(async (config, session) =>
  (await import('./open.ts')).openBox(config, session, { mustExist: true }),
)

/** What an operator needs once in years, listed apart in the help. */
const rareRepairs: Command[] = [repairCommand, clicksRejudge, retentionList, retentionAllow, retentionTrustClock]

/** Every command, in the order of the help. */
export const commands: Command[] = [
  serve,
  newSite,
  apply,
  accountList,
  accountShow,
  accountDomains,
  accountShowPersonal,
  accountMove,
  accountRemove,
  domainList,
  domainCheck,
  domainReserved,
  domainRelease,
  formNew,
  keyRotate,
  keyRevoke,
  keyNew,
  secretRotate,
  pageList,
  pagePublish,
  pageUnpublish,
  pageHistoryCommand,
  pageRollback,
  pagePromote,
  linkSign,
  linkRewrite,
  preview,
  exporting,
  personShow,
  personErase,
  submissionList,
  submissionShow,
  submissionFile,
  submissionRelease,
  submissionRefuse,
  submissionRemove,
  deliveryList,
  deliveryShow,
  deliveryRetry,
  deliveryBackfill,
  deliveryPause,
  deliveryResume,
  deliveryTest,
  deliverySecretRotate,
  report,
  refusals,
  backup,
  backupNow,
  backupList,
  backupVerify,
  backupKey,
  restoreCommand,
  clusterJoin,
  clusterStatusCommand,
  clusterLead,
  clusterLeave,
  doctor,
  alertTest,
  ready,
  configExample,
  configCheck,
  serviceInstall,
  serviceStatus,
  serviceUninstall,
  userInvite,
  userList,
  userRole,
  userRemove,
  userSignOut,
  tokenCreate,
  tokenList,
  tokenRevoke,
  auditList,
  auditExport,
  auditVerify,
  upgrade,
  version,
  ...rareRepairs.map((command) => ({ ...command, isRareRepair: true })),
]
