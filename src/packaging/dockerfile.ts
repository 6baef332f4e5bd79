/** The image's user, a number that no system uses. */
const uid = 65532

/**
 * A Dockerfile for the folder of a release: the image has only the executable and the C library. The first stage is Debian,
 * which provides the C library and can list its files.
 */
export const dockerfile = (
  version: string,
): string => `# Capture ${version}: the executable, the C library it runs on, and nothing else. In this folder:
#   docker build --tag capture:${version} .
FROM debian:12-slim AS parts
COPY capture-${version}-linux-* /release/
RUN set -eu; \\
    case "$(dpkg --print-architecture)" in amd64) target=linux-x64 ;; *) target=linux-arm64 ;; esac; \\
    install -D --mode 0755 "/release/capture-${version}-$target" /image/usr/bin/capture; \\
    for library in $(ldd /image/usr/bin/capture | grep -o '/[^ ]*'); do \\
      install -D --mode 0755 "$library" "/image$library"; \\
    done; \\
    mkdir -p /image/etc; \\
    echo 'capture:x:${uid}:${uid}::/var/lib/capture:' > /image/etc/passwd; \\
    echo 'capture:x:${uid}:' > /image/etc/group; \\
    echo 'hosts: files dns' > /image/etc/nsswitch.conf; \\
    install -d --mode 1777 /image/tmp; \\
    install -d --mode 0700 --owner ${uid} --group ${uid} /image/var/lib/capture

FROM scratch
COPY --from=parts /image/ /
USER ${uid}:${uid}
WORKDIR /var/lib/capture
ENV CAPTURE_DATA_DIR=/var/lib/capture CAPTURE_SERVER_LISTEN=0.0.0.0:8080
VOLUME /var/lib/capture
EXPOSE 80 443 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=5m CMD ["/usr/bin/capture", "ready"]
ENTRYPOINT ["/usr/bin/capture"]
CMD ["serve"]
`
