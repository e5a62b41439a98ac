# Stands for the official images of PostgreSQL, Redis and HAProxy, from Debian's packages.
FROM scratch AS debian
ADD root.tar /

FROM debian AS postgres
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/15/docker
COPY postgres.sh /usr/local/bin/docker-entrypoint.sh
ENTRYPOINT ["sh", "/usr/local/bin/docker-entrypoint.sh"]
CMD ["postgres"]

FROM debian AS redis
CMD ["redis-server"]

FROM debian AS haproxy
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
