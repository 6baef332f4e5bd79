/** Who publishes, as shown to people later. */
export interface Publisher {
  via: 'command' | 'console' | 'api'
  /** The system's user, the address of the console's user, or the name of the token. */
  name: string
}
