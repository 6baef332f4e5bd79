import { actAsDataOwner, type DataOwnerOptions, processUser } from './data-owner.ts'

/** Acts as the data folder's owner for a while. */
export interface ActingOwner {
  /** The owner; `null`: whoever runs the command, since there is no folder yet. */
  begin(): void
  /** Whoever started the command again: root may move a folder that its owner may not. */
  end(): void
}

/**
 * Like `actAsDataOwner`, but root gets its rights back afterwards. What belongs to the owner is only ever touched with
 * the owner's rights, so that no link laid in there leads root astray.
 */
export function actingOwner(options: Omit<DataOwnerOptions, 'user'>): ActingOwner {
  const { uid } = processUser()
  const gid = process.getgid?.() ?? 0
  const groups = process.getgroups?.() ?? []
  return {
    begin() {
      const become = (ownerId: number, groupId: number): void => {
        process.setgroups?.([groupId])
        process.setegid?.(groupId)
        process.seteuid?.(ownerId)
      }
      actAsDataOwner({ ...options, user: { uid, become } })
    },
    end() {
      if (process.geteuid?.() === uid) return
      process.seteuid?.(uid)
      process.setegid?.(gid)
      process.setgroups?.(groups)
    },
  }
}
