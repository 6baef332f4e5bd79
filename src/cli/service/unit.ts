import { existsSync, readFileSync } from 'node:fs'
import { below, places } from './machine.ts'

interface UnitParts {
  /** The executable's path for the service: a package's, or the one installed by hand. */
  executable: string
  user: string
}

/**
 * The systemd unit. `systemd-analyze security` gives it 1.5: what is left are the network, sockets, and the one capability
 * for ports below 1024. `MemoryDenyWriteExecute` would switch the compiler off, `PrivateUsers` the capability;
 * `ProcSubset=pid` hides the uptime by which retention judges the clock, and without `AF_NETLINK` the addresses of the
 * network cards cannot be read (docs/decisions/0032).
 */
export const unitText = ({
  executable,
  user,
}: UnitParts): string => `# Written by \`capture service install\`, which puts it right when it was changed. Put settings of your own in
# /etc/systemd/system/capture.service.d/*.conf (systemctl edit capture).
[Unit]
Description=Capture: landing pages, forms, events and tracked links
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart=${executable} serve --config ${places.config}
ExecReload=/bin/kill -HUP $MAINPID
User=${user}
StateDirectory=capture
StateDirectoryMode=0700
WorkingDirectory=${places.data}
UMask=0077
WatchdogSec=30
WatchdogSignal=SIGKILL
TimeoutStartSec=5min
TimeoutStopSec=15
Restart=always
RestartSec=1
LimitNOFILE=65536
# A dump of the memory would hold the keys.
LimitCORE=0
OOMScoreAdjust=-200

AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
DevicePolicy=closed
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`

export const sysctlText = `# Written by \`capture service install\`.
# When one listener takes over from another on the same port, the kernel hands over what waits to be accepted instead of
# resetting it. Kernels before 5.14 do not know the key, which the dash forgives.
-net.ipv4.tcp_migrate_req = 1
`

/** sysusers.d(5) and tmpfiles.d(5), for a tree in which no user can be made yet. */
export const sysusersText = (user: string): string => `u ${user} - "Capture" ${places.data} -\n`
export const tmpfilesText = (user: string): string => `z ${places.config} 0640 root ${user} -\n`

/** The settings of the present unit; `null`: none, or not Capture's. */
export function installedUnit(tree: string): UnitParts | null {
  const file = below(tree, places.unit)
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  const [, executable] = /^ExecStart=(\S+) serve /m.exec(text) ?? []
  const [, user] = /^User=(\S+)$/m.exec(text) ?? []
  return executable === undefined || user === undefined ? null : { executable, user }
}
