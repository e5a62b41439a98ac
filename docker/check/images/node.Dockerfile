# Stands for the official image of Node.js, from Debian's packages and npm's package `node`.
FROM scratch
ADD root.tar /
COPY node/ /usr/local/
CMD ["node"]
