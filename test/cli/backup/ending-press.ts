declare const self: Worker

// A thread that ends, without an error, when it is asked to compress.
self.onmessage = () => process.exit()
